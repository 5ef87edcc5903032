// The scorer: the photo is sent as soon as it is taken.
const form = document.getElementById("scorer");
const photo = form?.querySelector("input[type=file]");

function send() {
  if (!photo.files.length) return;
  document.getElementById("tap").textContent = "Counting …";
  form.requestSubmit();
}

photo?.addEventListener("change", send);
// It may have been taken before this script was there; but who comes back to the page has been answered.
if (photo && performance.getEntriesByType("navigation")[0]?.type === "navigate") send();

window.addEventListener("pageshow", () => {
  if (!form) return;
  document.getElementById("tap").textContent = "Photograph the board";
});
