// The page of a reading, for everybody: pieces that are pointed at, on the photo and in the diagram.
import { decorate } from "./parts.js";
import { startPhoto } from "./photo.js";
import { roam } from "./roam.js";
import { wake } from "./wake.js";

const page = document.querySelector(".reading");

page.addEventListener("click", (event) => {
  const index = event.target.closest("[data-look]")?.dataset.look;
  if (index) page.querySelector(`#photo [data-index="${index}"], [data-spot][data-index="${index}"]`)?.focus();
});

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

decorate(page);
roam(page);
startPhoto(document.getElementById("photo"), document.getElementById("closer"));
wake(page);
