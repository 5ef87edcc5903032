// Keys: what a letter means on a piece, on an empty place, and while the sheet is open.
const CHANGES = {
  r: { color: "red" }, y: { color: "yellow" }, g: { color: "green" }, b: { color: "blue" },
  1: { size: "small" }, 2: { size: "medium" }, 3: { size: "large" },
  s: { owner: "south" }, n: { owner: "north" },
  u: { role: "star" }, l: { role: "ship" },
};

export function onKeys({ page, sheet, help, send }) {
  document.addEventListener("keydown", (event) => {
    if (help.open || event.altKey || event.isComposing) return;
    const typing = event.target.closest("input:not([type=radio]), textarea, select");
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      if (key === "z" && !event.shiftKey && !typing) act(event, () => send({ do: "undo" }));
      return;
    }
    if (key === "Escape" && sheet.isOpen) act(event, () => sheet.close());
    if (typing) return;
    if (key === "?") act(event, () => help.showModal());
    const spot = event.target.closest("[data-spot]");
    if (sheet.isOpen && sheet.holds(event.target)) inSheet(event, key, sheet);
    else if (spot) onSpot(event, key, spot, { sheet, send });
    else if (key === "a" && page.contains(event.target)) act(event, () => sheet.openNew({}, event.target));
  });
}

function inSheet(event, key, sheet) {
  const change = meant(key, sheet.game);
  if (change) act(event, () => sheet.choose(change));
  if (key === "Delete") act(event, () => sheet.remove());
  if (key === "Enter" && !event.target.closest("button")) act(event, () => sheet.form.requestSubmit());
}

function onSpot(event, key, spot, { sheet, send }) {
  const change = meant(key, sheet.game);
  const index = spot.dataset.index === undefined ? null : Number(spot.dataset.index);
  if (key === "Enter" || key === " ") act(event, () => sheet.openSpot(spot));
  else if (key === "a") act(event, () => sheet.openBeside(spot));
  else if (key === "Delete" && index !== null) act(event, () => send({ do: "remove", piece: index }));
  else if (change && index !== null) act(event, () => send({ do: "change", piece: index, set: change }));
  else if (change) act(event, () => { sheet.openSpot(spot); sheet.choose(change); });
}

function meant(key, game) {
  return game === "settlers" && "ul".includes(key) ? null : CHANGES[key];
}

function act(event, what) {
  event.preventDefault();
  what();
}
