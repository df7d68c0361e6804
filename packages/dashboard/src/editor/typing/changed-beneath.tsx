import type { ReactElement } from "react";
import { Button } from "../../ui/button.tsx";
import { Alert } from "../../ui/problem.tsx";
import type { FieldTyping } from "./use-typed-text.ts";

/** The choice about an unfinished text whose value was changed elsewhere: no text overwrites that change on its own. */
export function ChangedBeneath({
  typing: { takeOver, discard },
}: {
  readonly typing: FieldTyping;
}): ReactElement | null {
  if (takeOver === undefined) return null;
  return (
    <Alert tone="review">
      <p>
        The draft was changed elsewhere since this text was typed. The text replaces that change only if you use it.
      </p>
      <div className="flex flex-wrap gap-2 pt-2">
        <Button onClick={takeOver}>Use this text</Button>
        <Button onClick={discard}>Discard this text</Button>
      </div>
    </Alert>
  );
}
