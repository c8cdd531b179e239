// How words are compared, whoever typed them.

const LETTERS = { ß: "ss", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", æ: "ae", œ: "oe", ı: "i", ħ: "h", ŧ: "t" };

export const replaced = (text, table) => [...text].map((letter) => table[letter] ?? letter).join("");

// Lower case, without accents.
export function unaccented(text) {
  const letters = replaced(text.toLowerCase(), LETTERS).normalize("NFKD");
  return replaced(letters, LETTERS).replace(/\p{M}/gu, "");
}
