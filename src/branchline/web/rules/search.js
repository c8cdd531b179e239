// How well texts answer a question, in the four languages of the pages.

// Words that a question has whatever it is about.
const SMALL = {
  en: "a am an and any are as at be but by can could did do does for from has have how i if in is it its may me might must my no not of on one or our shall should so than that the their them then there they this to us was we what when where which who why will with would you your",
  de: "aber als am an auch auf aus bei bin bist da darf dann das dass dem den der des die dies doch du durch ein eine einem einen einer es fur gibt hat habe haben ich ihr im in ist ja kann konnen man mein meine mich mir mit muss musst nach nicht noch nur oder sie sind soll und uns von wann warum was welche wem wen wenn wer wie wir wird wo zu zum zur",
  pl: "a aby albo ale bo by byc co czy dla do gdy gdzie i ich ile ja jak jaka jaki jakie jest jesli juz kiedy kto ktora ktore ktory lub ma mam moge moj moja mozna musi musze na nad nie o od on ona oni po pod przed przez sa sie ta tak tam te ten to tu ty u w we wiec wolno z za ze",
  cs: "a aby ale ani az bez by byl byt co cim do ho i ja jak jaka jake jaky je jeho jejich jen jestli jsem jsou k kam kde kdo kdy kdyz ke kolik ktera ktere ktery ma mam mi muj muze muzu musim na nad ne nebo neni o od po pod pro proc pred s se si smim ta tak tam te ten to tu ty u v ve vic z za ze",
};
const ENDING = 3; // letters at most in which two forms of a word differ
const STEM = 4; // letters at least that two forms of a word share where both have an ending

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ł", "l").replaceAll("ß", "ss").toLowerCase();
const wordsOf = (text) => plain(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);

// How much a word of a text is a word of the question: 1 for the same, less for another form or a part of it.
function likeness(wanted, word) {
  if (word === wanted) return 1;
  let shared = 0;
  while (shared < wanted.length && wanted[shared] === word[shared]) shared++;
  const [one, other] = [wanted.length - shared, word.length - shared];
  if (shared >= (one && other ? STEM : ENDING) && Math.max(one, other) <= ENDING) return 1 - 0.1 * (one + other);
  return wanted.length >= STEM && word.includes(wanted) ? 0.6 : 0; // Karte in Wagenkarten
}

// For each text how well it answers: rare words of the question count more than those that many texts have. Small words
// count only where there are no others. Null when nothing is asked.
export function answering(question, texts, language) {
  const asked = [...new Set(wordsOf(question))];
  if (!asked.length) return null;
  const small = new Set((SMALL[language] ?? "").split(" "));
  const telling = asked.filter((word) => !small.has(word));
  const scores = texts.map(() => 0);
  const held = texts.map(wordsOf);
  for (const wanted of telling.length ? telling : asked) {
    const likes = held.map((words) => Math.max(0, ...words.map((word) => likeness(wanted, word))));
    const rarity = Math.log(1 + texts.length / Math.max(1, likes.filter(Boolean).length));
    likes.forEach((like, n) => (scores[n] += like * rarity));
  }
  return scores;
}
