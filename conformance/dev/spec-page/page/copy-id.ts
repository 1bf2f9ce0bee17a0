// Puts a button beside each requirement that copies its id.

/** Adds the buttons. Without a script there are none, because they would do nothing. */
export function offerIds(): void {
  for (const requirement of document.querySelectorAll<HTMLElement>(".requirement")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "copy";
    button.setAttribute("aria-label", `Copy ${requirement.id}`);
    requirement.prepend(button);
  }
  document.addEventListener("click", (event) => {
    if (event.target instanceof HTMLElement && event.target.matches(".copy")) void copy(event.target);
  });
}

async function copy(button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(button.parentElement!.id);
    button.textContent = "copied";
  } catch {
    // The browser does not let a page do it: the id is marked, so that the reader can.
    getSelection()!.selectAllChildren(button.parentElement!.querySelector(".id")!);
    button.textContent = "marked";
  }
  button.addEventListener("blur", () => (button.textContent = "copy"), { once: true });
}
