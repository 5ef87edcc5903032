// What somebody has typed or chosen stays, although its field is drawn anew, or is not there for a while.
const FIELDS = "input:not([type=hidden]), select, textarea";
const kept = new Map();

export function keep(area) {
  for (const field of area.querySelectorAll(FIELDS)) {
    if (isChanged(field)) kept.set(keyOf(field), valueOf(field));
    else kept.delete(keyOf(field));
  }
}

export function giveBack(area) {
  for (const field of area.querySelectorAll(FIELDS)) {
    const draft = kept.get(keyOf(field));
    if (draft !== undefined) fill(field, draft);
  }
}

// The changed fields of a form as they are now.
export function draftsOf(form) {
  return new Map([...form.querySelectorAll(FIELDS)].filter(isChanged).map((field) => [keyOf(field), valueOf(field)]));
}

// These have been sent: their fields are empty again, unless they have been changed since.
export function forget(page, drafts) {
  for (const [key, sent] of drafts) {
    if (same(kept.get(key), sent)) kept.delete(key);
    for (const field of page.querySelectorAll(FIELDS)) {
      if (keyOf(field) === key && same(valueOf(field), sent)) empty(field);
    }
  }
}

// They were not done after all: back into their fields, now or when these are there again; those that have been changed
// since are left alone. Answers whether none was.
export function putBack(page, drafts) {
  let all = true;
  for (const [key, draft] of drafts) {
    const field = [...page.querySelectorAll(FIELDS)].find((one) => keyOf(one) === key);
    if (field ? isChanged(field) : kept.has(key)) all = false;
    else if (field) fill(field, draft);
    else kept.set(key, draft);
  }
  return all;
}

export function keyOf(field) {
  const choice = isChoice(field) ? field.value : "";
  return `${field.form?.getAttribute("action") ?? ""} ${field.name} ${choice}`;
}

function isChoice(field) {
  return field.type === "radio" || field.type === "checkbox";
}

function valueOf(field) {
  if (field.type === "file") return field.files;
  return isChoice(field) ? field.checked : field.value;
}

function isChanged(field) {
  if (field.type === "file") return field.files.length > 0;
  if (isChoice(field)) return field.checked !== field.defaultChecked;
  return field.value !== defaultOf(field);
}

function defaultOf(field) {
  if (!field.options) return field.defaultValue;
  return ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value;
}

function fill(field, draft) {
  if (field.type === "file") field.files = draft;
  else if (isChoice(field)) field.checked = draft;
  else field.value = draft;
}

function empty(field) {
  if (field.type === "file") field.value = "";
  else if (isChoice(field)) field.checked = field.defaultChecked;
  else field.value = defaultOf(field);
}

function same(one, other) {
  return one instanceof FileList && other instanceof FileList ? one[0] === other[0] : one === other;
}
