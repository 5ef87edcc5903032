// The scorer: the photo is sent as soon as it is taken.
const form = document.getElementById("scorer");

form?.querySelector("input[type=file]").addEventListener("change", (event) => {
  if (!event.target.files.length) return;
  document.getElementById("tap").textContent = "Counting …";
  form.requestSubmit();
});
window.addEventListener("pageshow", () => {
  if (!form) return;
  document.getElementById("tap").textContent = "Photograph the board";
});
