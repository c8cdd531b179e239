// Sentences of the server, filled in here. One about a number comes in all its forms, by the names of `Intl.PluralRules`;
// the field `count` chooses. Numbers get a real minus.

const language = document.documentElement.lang || "en";
const rules = new Intl.PluralRules(language);

export function worded(text, fields = {}) {
  const form = typeof text === "string" ? text : (text[rules.select(Math.abs(fields.count))] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (_, name) => written(fields[name] ?? ""));
}

const written = (value) => (typeof value === "number" ? String(value).replace("-", "−") : String(value));
