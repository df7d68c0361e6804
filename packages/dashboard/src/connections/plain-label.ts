/* Labels of fields whose schema has no title: the words of their name. */
import type { FormField } from "../forms/form-field.ts";

const shortWords: Readonly<Record<string, string>> = { url: "URL", id: "ID", api: "API", ms: "(ms)", ttl: "lifetime" };

/** The words of a name: `Token URL` for `tokenUrl`. A name that a person gave, such as `item:main`, stays as it is. */
export function plainLabel(name: string): string {
  if (name.includes(":")) return name;
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").split(/[\s_]+/);
  const lower = words.map((word) => shortWords[word.toLowerCase()] ?? word.toLowerCase()).join(" ");
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

/** A field whose members have plain labels where their schema has no title. */
export function withPlainLabels(field: FormField): FormField {
  switch (field.kind) {
    case "object": {
      const members = field.members.map(([name, member]) => {
        const label = member.label === name ? plainLabel(name) : member.label;
        return [name, withPlainLabels({ ...member, label })] as const;
      });
      return { ...field, members };
    }
    case "list":
      return { ...field, item: withPlainLabels(field.item) };
    default:
      return field;
  }
}
