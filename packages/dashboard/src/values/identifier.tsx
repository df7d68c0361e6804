import type { ReactElement } from "react";
import { Copy } from "../ui/copy.tsx";

/** An identifier in full, with a button to copy it. */
export function Identifier({ what, id }: { readonly what: string; readonly id: string }): ReactElement {
  return (
    <span className="inline-flex items-center gap-1">
      <code className="font-mono text-code wrap-anywhere">{id}</code>
      <Copy what={what} text={id} />
    </span>
  );
}

/** The part of an identifier by which people tell it from others. */
export function shortId(id: string): string {
  const at = id.indexOf("_");
  return id.length <= at + 9 ? id : `${id.slice(0, at + 1)}…${id.slice(-6)}`;
}
