import { useEffect, useRef, type RefObject } from "react";

/** Moves the focus to the first field with a problem whenever there are new ones. */
export function useFirstProblem(problems: ReadonlyMap<string, string>): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const said = JSON.stringify([...problems]);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [said]);
  return form;
}
