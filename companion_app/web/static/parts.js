import { giveBack, keep, keyOf } from "./drafts.js";
import { wake } from "./wake.js";

// Puts newly drawn parts into the page without losing the reader's place in it, nor what was typed there.
export function renewParts(page, parts) {
  const place = whereabouts(page);
  for (const [name, html] of Object.entries(parts)) {
    const part = page.querySelector(`[data-part="${name}"]`);
    if (!part || part.lastHtml === html) continue;
    const opened = [...part.querySelectorAll("details[open]")].map((one) => one.id);
    keep(part);
    part.innerHTML = html;
    giveBack(part);
    part.lastHtml = html;
    wake(part);
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  }
  if (place?.typed && !document.contains(place.element)) typeOn(page, place);
  else if (place && !document.contains(place.element)) findAgain(page, place)?.focus();
}

function whereabouts(page) {
  const element = document.activeElement;
  const part = element?.closest("[data-part]");
  if (!part || !page.contains(part)) return null;
  const { index, field, edit } = element.dataset;
  return { element, part: part.dataset.part, index, field, edit, typed: typedInto(element) };
}

// Which field somebody is typing into, and where in it.
function typedInto(element) {
  if (!element.matches("input, textarea, select")) return null;
  const { selectionStart: from, selectionEnd: to } = element;
  return { key: keyOf(element), from, to };
}

// On in the same field; without it, no key that is typed may press a button.
function typeOn(page, { part, typed }) {
  const area = page.querySelector(`[data-part="${part}"]`);
  const field = [...area.querySelectorAll("input, textarea, select")].find((one) => keyOf(one) === typed.key);
  if (!field) area.tabIndex = -1;
  (field ?? area).focus({ preventScroll: true });
  if (field && typed.from !== null && typed.from !== undefined) field.setSelectionRange(typed.from, typed.to);
}

// The same field, else the same piece, else whatever comes first in the part.
function findAgain(page, { part, index, field, edit }) {
  const area = page.querySelector(`[data-part="${part}"]`);
  return (
    (edit && area.querySelector(`[data-edit="${CSS.escape(edit)}"]`)) ||
    (field && area.querySelector(`[data-spot][data-field="${field}"]`)) ||
    (index && area.querySelector(`[data-spot][data-index="${index}"]`)) ||
    area.querySelector("button, [data-spot]") ||
    document.getElementById("undo")
  );
}

// Makes the pieces of the diagram things that can be pointed at, and for whoever may correct them also empty fields and
// systems, where pieces can be added.
export function decorate(page) {
  const corrects = "edits" in page.dataset;
  const diagram = page.querySelector('[data-part="diagram"]');
  for (const piece of diagram.querySelectorAll("[data-index]")) press(piece, titleOf(piece), corrects ? "button" : "img");
  if (corrects) decorateRoom(diagram);
  for (const area of page.querySelectorAll("[data-spots]")) {
    const spots = area.querySelectorAll("[data-spot]");
    if (spots.length && !area.querySelector('[data-spot][tabindex="0"]')) {
      (area.querySelector("[data-spot][data-index]") ?? spots[0]).setAttribute("tabindex", "0");
    }
  }
}

function decorateRoom(diagram) {
  for (const field of diagram.querySelectorAll("g[data-field]:not([data-piece])")) {
    if (titleOf(field)) press(field, titleOf(field));
  }
  for (const system of diagram.querySelectorAll("g[data-system]")) {
    const frame = system.querySelector(":scope > rect");
    frame.dataset.system = system.dataset.system;
    press(frame, `Add a piece at ${system.dataset.system}`);
  }
  for (const kind of diagram.querySelectorAll("[data-bank-piece]")) press(kind, `${titleOf(kind)}: add one to the table`);
}

function titleOf(element) {
  return element.querySelector(":scope > title")?.textContent;
}

function press(element, label, role = "button") {
  element.dataset.spot = "";
  element.setAttribute("role", role);
  element.setAttribute("tabindex", "-1");
  element.setAttribute("aria-label", label);
}
