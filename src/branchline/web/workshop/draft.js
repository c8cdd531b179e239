// A draft and its steps in the browser: the same few lines as branchline/workshop/steps.py. Nothing here is changed in
// place; a step makes the next draft.

export function readDraft(content) {
  const tables = {};
  for (const [table, rows] of Object.entries(content.tables)) tables[table] = new Map(rows);
  return { settings: content.settings, tables, backdrop: content.backdrop, files: content.files };
}

export class Misfit extends Error {}

export function same(one, other) {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && same(one[key], other[key]));
}

// What stands where an edit is about; null: nothing.
export function standing(draft, edit) {
  if (edit.table === "backdrop") return draft.backdrop;
  if (edit.table === "files") return draft.files[edit.row] ?? null;
  if (edit.table !== "settings") return draft.tables[edit.table].get(edit.row) ?? null;
  return setting(draft, edit.path) ?? null;
}

export function setting(draft, path) {
  let section = draft.settings;
  for (const key of path) {
    if (!isSection(section) || !Object.hasOwn(section, key)) return undefined;
    section = section[key];
  }
  return section;
}

export function isSection(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

export function applied(draft, step) {
  return step.edits.reduce(edited, draft);
}

function edited(draft, edit) {
  if (!same(standing(draft, edit), edit.before)) throw new Misfit(edit.table);
  if (edit.table === "backdrop") return { ...draft, backdrop: edit.after };
  if (edit.table === "files") return { ...draft, files: withKey(draft.files, edit.row, edit.after) };
  if (edit.table === "settings") return { ...draft, settings: withSetting(draft.settings, edit.path, edit.after) };
  const rows = withRow(draft.tables[edit.table], edit);
  return { ...draft, tables: { ...draft.tables, [edit.table]: rows } };
}

function withKey(entries, key, value) {
  const { [key]: _gone, ...rest } = entries;
  if (value === null) return rest;
  return Object.hasOwn(entries, key) ? { ...entries, [key]: value } : { ...entries, [key]: value };
}

function withSetting(section, [key, ...rest], value) {
  if (!rest.length) return withKey(section, key, value);
  if (!isSection(section[key])) throw new Misfit("settings");
  return { ...section, [key]: withSetting(section[key], rest, value) };
}

function withRow(rows, { row, before, after, at }) {
  if (before !== null && after !== null) return new Map(rows).set(row, after);
  const order = [...rows];
  if (before !== null) return new Map(order.filter(([id]) => id !== row));
  if (after !== null) order.splice(at ?? order.length, 0, [row, after]);
  return new Map(order);
}

export function undone(step) {
  const edits = step.edits.map((edit) => ({ ...edit, before: edit.after, after: edit.before }));
  return { name: step.name, edits: edits.reverse() };
}

// The same step for a draft that has gone on meanwhile: cells that nobody else has touched are changed as they were to
// be. Null: somebody else has changed the very same thing.
export function fitted(draft, step) {
  const edits = [];
  for (const edit of step.edits) {
    const fit = fittedEdit(draft, edit);
    if (fit === null) return null;
    if (!fit) continue; // done already
    edits.push(fit);
    try {
      draft = edited(draft, fit);
    } catch {
      return null;
    }
  }
  return { name: step.name, edits };
}

function fittedEdit(draft, edit) {
  const now = standing(draft, edit);
  if (same(now, edit.before)) return edit;
  if (same(now, edit.after)) return undefined;
  const isRow = !["settings", "backdrop", "files"].includes(edit.table);
  if (!isRow || now === null || edit.after === null) return null;
  if (edit.before === null) return { ...edit, row: newId(edit.table) };
  const after = { ...now };
  for (const column of new Set([...Object.keys(edit.before), ...Object.keys(edit.after)])) {
    const [was, wanted, is] = [edit.before[column] ?? "", edit.after[column] ?? "", now[column] ?? ""];
    if (was === wanted || is === wanted) continue;
    if (is !== was) return null;
    if (wanted) after[column] = wanted;
    else delete after[column];
  }
  return { ...edit, before: now, after };
}

const LETTERS = { cities: "c", routes: "r", tickets: "t", tours: "o", passengers: "p", exits: "e", layout: "l", names: "n" };

// By lot, so that two tabs do not give the same one.
export function newId(table) {
  const lot = crypto.getRandomValues(new Uint32Array(2));
  return (LETTERS[table] + lot[0].toString(36) + lot[1].toString(36)).slice(0, 11);
}

// --- making edits

export function addition(table, cells) {
  return { table, row: newId(table), before: null, after: clean(cells) };
}

export function removal(draft, table, row) {
  const at = [...draft.tables[table].keys()].indexOf(row);
  return { table, row, before: draft.tables[table].get(row), after: null, at };
}

export function change(draft, table, row, cells) {
  const before = draft.tables[table].get(row);
  return { table, row, before, after: clean({ ...before, ...cells }) };
}

export function settingEdit(draft, path, value) {
  return { table: "settings", path, before: setting(draft, path) ?? null, after: value };
}

// A setting, with the sections around it where they are missing. Null: it is so already, or stands in what is no section.
export function settingWithin(draft, path, value) {
  for (let n = 1; n < path.length; n++) {
    const section = setting(draft, path.slice(0, n));
    if (section === undefined) {
      const added = path.slice(n).reduceRight((inner, key) => ({ [key]: inner }), value);
      return value === null ? null : settingEdit(draft, path.slice(0, n), added);
    }
    if (!isSection(section)) return null;
  }
  const edit = settingEdit(draft, path, value);
  return JSON.stringify(edit.before) === JSON.stringify(edit.after) ? null : edit;
}

function clean(cells) {
  return Object.fromEntries(
    Object.entries(cells)
      .map(([column, text]) => [column, String(text).replace(/[\n\r\0]/g, " ").trim().slice(0, 1000)])
      .filter(([, text]) => text),
  );
}

export function rowsWith(draft, table, column, text) {
  return [...draft.tables[table]].filter(([, cells]) => (cells[column] ?? "") === text);
}

// Where the name of a place stands, besides its own row.
const NAMED = [
  ["routes", "city_a"],
  ["routes", "city_b"],
  ["tickets", "city_a"],
  ["tickets", "city_b"],
  ["passengers", "city"],
  ["exits", "country"],
  ["exits", "city"],
  ["layout", "name"],
  ["names", "name"],
];

export function tourCities(cells) {
  return (cells.cities ?? "").split(">").map((name) => name.trim());
}

// A place is called otherwise, wherever it stands.
export function renaming(draft, row, name) {
  const old = draft.tables.cities.get(row).name ?? "";
  const edits = [change(draft, "cities", row, { name })];
  if (!old || !name) return edits;
  const changed = new Map(); // a route of a place to itself has it twice
  for (const [table, column] of NAMED) {
    for (const [id] of rowsWith(draft, table, column, old)) {
      changed.set(`${table} ${id}`, { table, id, cells: { ...changed.get(`${table} ${id}`)?.cells, [column]: name } });
    }
  }
  for (const [id, cells] of draft.tables.tours) {
    const cities = tourCities(cells);
    if (!cities.includes(old)) continue;
    const renamed = cities.map((city) => (city === old ? name : city)).join(">");
    changed.set(`tours ${id}`, { table: "tours", id, cells: { cities: renamed } });
  }
  for (const { table, id, cells } of changed.values()) edits.push(change(draft, table, id, cells));
  return edits;
}

// A place goes, and with it whatever names it.
export function removingPlace(draft, row) {
  const name = draft.tables.cities.get(row).name ?? "";
  const rows = new Set([`cities ${row}`]);
  if (name && rowsWith(draft, "cities", "name", name).length === 1) {
    for (const [table, column] of NAMED) for (const [id] of rowsWith(draft, table, column, name)) rows.add(`${table} ${id}`);
    for (const [id, cells] of draft.tables.tours) if (tourCities(cells).includes(name)) rows.add(`tours ${id}`);
  }
  return removing(draft, [...rows].map((key) => key.split(" ")));
}

// From the end of each table, so that every row knows its place when it comes back.
export function removing(draft, rows) {
  const edits = rows.map(([table, row]) => removal(draft, table, row));
  return edits.sort((edit, other) => other.at - edit.at);
}
