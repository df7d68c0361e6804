import type { ReactElement } from "react";
import { Button } from "../../ui/button.tsx";
import type { FieldTyping } from "./use-typed-text.ts";

/** The choice about an unfinished text whose value was changed elsewhere: no text overwrites that change on its own. */
export function ChangedBeneath({
  typing: { takeOver, discard },
}: {
  readonly typing: FieldTyping;
}): ReactElement | null {
  if (takeOver === undefined) return null;
  return (
    <div className="flex flex-wrap gap-2 pt-1">
      <Button onClick={takeOver}>Use this text</Button>
      <Button onClick={discard}>Discard this text</Button>
    </div>
  );
}
