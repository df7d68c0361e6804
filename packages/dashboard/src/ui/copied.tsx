import type { ReactElement } from "react";

/** Tells a screen reader that a text was copied; the button shows it to the others. */
export function Copied({ isCopied }: { readonly isCopied: boolean }): ReactElement {
  return (
    <span aria-live="polite" className="sr-only" data-print="hide">
      {isCopied && "Copied"}
    </span>
  );
}
