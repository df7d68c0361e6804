/** The text of a field of a form; "" for a field that the form does not have. */
export function formText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
