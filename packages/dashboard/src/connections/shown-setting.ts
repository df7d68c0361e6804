/* The settings of a connection as texts. */
import type { Connection } from "../api/models.ts";
import { methodWords } from "./method-words.ts";
import { plainLabel } from "./plain-label.ts";

type Settings = Connection["settings"];

export interface ShownSetting {
  readonly label: string;
  readonly text: string;
}

/** Each setting with its label. Members of a group, such as the authentication, stand beside the others. */
export function shownSettings(settings: Settings): readonly ShownSetting[] {
  return Object.entries(settings).flatMap(([name, value]): readonly ShownSetting[] => {
    if (name === "spec" && isObject(value)) return [{ label: "Document", text: documentText(value) }];
    if (name === "authentication" && isObject(value)) {
      const { method, ...others } = value;
      return [{ label: "Authentication", text: methodWords(String(method)) }, ...shownSettings(others)];
    }
    return [{ label: plainLabel(name), text: textOf(value) }];
  });
}

function documentText({ title, version, url }: Settings): string {
  const name = [title, version].filter((part) => typeof part === "string").join(", version ");
  return typeof url === "string" ? `${name}, fetched from ${url}` : name;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (isObject(value)) {
    return Object.entries(value)
      .map(([name, member]) => `${name}: ${textOf(member)}`)
      .join(", ");
  }
  return value === true ? "Yes" : value === false ? "No" : JSON.stringify(value);
}

function isObject(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
