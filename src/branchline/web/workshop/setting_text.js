// Settings as people type them: numbers, words and lists in a field, and back.

import { isSection } from "./draft.js";

// What is typed as a value of board.toml of this kind; null: nothing.
export function valueTyped(kind, typed) {
  const text = typed.trim();
  if (!text) return null;
  if (kind === "number" || kind === "decimal") return numeral(text);
  if (kind === "numbers") return text.split(/[\s,;]+/).filter(Boolean).map(numeral);
  if (kind === "lines") return text.split("\n").map((line) => line.trim()).filter(Boolean);
  if (kind === "share") return text.includes(" ") || /[^\d]/.test(text) ? shares(text) : numeral(text);
  if (kind === "edges") return edges(text);
  return text;
}

// What is no number stays as it was typed: the check says what was expected.
function numeral(text) {
  const number = Number(text.replace(",", "."));
  return Number.isFinite(number) && /^[+-]?[\d.,]+$/.test(text) ? number : text;
}

// `train 3, ship 7`
function shares(text) {
  const counts = {};
  for (const part of text.split(",")) {
    const [, name, count] = /^\s*([\p{L}\w-]+)\s*[=:]?\s*(\d+)\s*$/u.exec(part) ?? [];
    if (!name) return text;
    counts[name] = Number(count);
  }
  return counts;
}

// `Lima–Sydney = 5, 3`, a line for each
function edges(text) {
  const lists = {};
  for (const line of text.split("\n").filter((text) => text.trim())) {
    const [, name, counts] = /^(.*?)\s*[=:]\s*([\d.,\s]+)$/.exec(line.trim()) ?? [];
    if (!name) return text;
    lists[name] = counts.split(",").map((count) => Number(count.trim()));
  }
  return lists;
}

// A value as it is typed.
export function written(value) {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.join(value.some((item) => typeof item === "string") ? "\n" : ", ");
  if (isSection(value)) {
    const lists = Object.values(value).some(Array.isArray);
    return Object.entries(value).map(([key, entry]) => (lists ? `${key} = ${entry.join?.(", ") ?? entry}` : `${key} ${entry}`)).join(lists ? "\n" : ", ");
  }
  return String(value);
}
