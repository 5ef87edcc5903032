// The page of a reading: puts its parts together.
import { onKeys } from "./keys.js";
import { decorate, renewParts } from "./parts.js";
import { startPhoto } from "./photo.js";
import { roam } from "./roam.js";
import { say } from "./say.js";
import { server } from "./server.js";
import { Sheet } from "./sheet.js";

const page = document.querySelector(".reading");
const undo = document.getElementById("undo");
const help = document.getElementById("help");
const send = server(page.dataset.edits, JSON.parse(document.getElementById("state").textContent), renew);
const sheet = new Sheet(document.getElementById("sheet"), send);

function renew(answer) {
  renewParts(page, answer.parts);
  decorate(page);
  undo.disabled = !answer.state.undoable;
  sheet.refresh();
  say(answer.said, Boolean(answer.error));
}

page.addEventListener("click", (event) => {
  const spot = event.target.closest("[data-spot]");
  const button = event.target.closest("[data-edit]");
  const look = event.target.closest("[data-look]");
  if (spot) sheet.openSpot(spot);
  if (button) send(JSON.parse(button.dataset.edit));
  if (look) page.querySelector(`#photo [data-index="${look.dataset.look}"], [data-spot][data-index="${look.dataset.look}"]`)?.focus();
});
undo.addEventListener("click", () => send({ do: "undo" }));
document.getElementById("add").addEventListener("click", (event) => sheet.openNew({}, event.currentTarget));
document.getElementById("help-button").addEventListener("click", () => help.showModal());

for (const kind of ["focusin", "focusout", "pointerover", "pointerout"]) {
  page.addEventListener(kind, (event) => link(event.target.closest("[data-spot][data-index]"), /in|over/.test(kind)));
}
// The same piece, on the photo and in the diagram.
function link(spot, on) {
  if (!spot) return;
  for (const twin of page.querySelectorAll(`[data-spot][data-index="${spot.dataset.index}"]`)) {
    twin.classList.toggle("linked", on);
  }
}

undo.disabled = !send.state.undoable;
decorate(page);
roam(page);
startPhoto(document.getElementById("photo"), document.getElementById("closer"));
onKeys({ page, sheet, help, send });
