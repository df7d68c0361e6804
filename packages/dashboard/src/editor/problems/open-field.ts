/** Puts the focus on the field of a step that a pointer names, or on the nearest one around it. */
export function openField(inspector: HTMLElement, pointer: string): void {
  const places = [...inspector.querySelectorAll<HTMLElement>("[data-pointer]")];
  const nearest = places
    .filter(({ dataset: { pointer: own = "" } }) => pointer === own || pointer.startsWith(`${own}/`) || own === "")
    .toSorted((a, b) => (b.dataset["pointer"]?.length ?? 0) - (a.dataset["pointer"]?.length ?? 0));
  const controls = [...nearest, inspector].flatMap((place) => [
    ...place.querySelectorAll<HTMLElement>("input, textarea, select, button"),
  ]);
  const [control] = controls;
  for (let around = control?.closest("details"); around; around = around.parentElement?.closest("details")) {
    around.open = true;
  }
  control?.focus();
}
