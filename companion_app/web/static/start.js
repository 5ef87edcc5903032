// The start: shows the chosen photo, takes one that is dropped or pasted, and says that reading takes a moment.
const MOST_BYTES = 20 * 1024 * 1024;
const form = document.getElementById("photo-form");
const files = [...form.querySelectorAll("input[type=file]")];
const preview = document.getElementById("preview");
const chosen = document.getElementById("chosen");
const drop = document.getElementById("drop");

for (const input of files) {
  input.addEventListener("change", () => input.files.length && show(input));
  if (input.files.length) show(input); // chosen before this script was there
}

function show(input) {
  for (const other of files) if (other !== input) other.value = "";
  const [file] = input.files;
  URL.revokeObjectURL(preview.src);
  preview.src = URL.createObjectURL(file);
  preview.hidden = false;
  preview.onerror = () => { preview.hidden = true; };
  const tooLarge = file.size > MOST_BYTES;
  input.setCustomValidity(tooLarge ? "This photo is larger than 20 MB: choose a smaller one." : "");
  chosen.textContent = tooLarge ? input.validationMessage : file.name;
}

function take(list) {
  const picture = [...list].find((file) => file.type.startsWith("image/"));
  if (!picture) return;
  const transfer = new DataTransfer();
  transfer.items.add(picture);
  files.at(-1).files = transfer.files;
  show(files.at(-1));
}

drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  take(event.dataTransfer.files);
});
document.addEventListener("paste", (event) => take(event.clipboardData.files));

for (const one of document.querySelectorAll("form")) {
  one.addEventListener("submit", (event) => {
    if (one === form && !files.some((input) => input.files.length)) {
      event.preventDefault();
      chosen.textContent = "Choose a photo first.";
      files.at(-1).focus();
      return;
    }
    one.classList.add("busy");
    one.setAttribute("aria-busy", "true");
  });
}
// A page that comes back from the browser's memory is not busy any more.
window.addEventListener("pageshow", () => {
  for (const one of document.querySelectorAll(".busy")) one.classList.remove("busy");
});
