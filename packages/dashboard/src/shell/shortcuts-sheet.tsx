import { useNavigate } from "@tanstack/react-router";
import { Keyboard } from "lucide-react";
import { useId, useMemo, useState, type ReactElement } from "react";
import type { Environment } from "../api/models.ts";
import { IconButton } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { presentShortcuts, useShortcuts, type Shortcut } from "./shortcuts.ts";

/** The shortcuts of every page, and the sheet that lists all present ones. */
export function Shortcuts({ environment }: { readonly environment: Environment }): ReactElement {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const shortcuts = useMemo((): readonly Shortcut[] => {
    const go = (to: string) => () => void navigate({ to, params: { environment } });
    return [
      { keys: "g h", does: "Go to Home", isOfFrame: true, run: go("/$environment") },
      { keys: "g r", does: "Go to Runs", isOfFrame: true, run: go("/$environment/runs") },
      { keys: "g q", does: "Go to Pending Reviews", isOfFrame: true, run: go("/$environment/reviews") },
      { keys: "g p", does: "Go to Procedures", isOfFrame: true, run: go("/$environment/procedures") },
      { keys: "g t", does: "Go to Triggers", isOfFrame: true, run: go("/$environment/triggers") },
      { keys: "?", does: "Show the keyboard shortcuts", isOfFrame: true, run: () => setOpen(true) },
    ];
  }, [environment, navigate]);
  useShortcuts(shortcuts);
  return (
    <>
      <IconButton
        icon={Keyboard}
        label="Keyboard shortcuts"
        aria-keyshortcuts="?"
        onClick={() => setOpen(true)}
        className="text-inherit! hover:bg-current/10! max-sm:sr-only max-sm:focus-visible:not-sr-only"
      />
      {isOpen && <Sheet onClose={() => setOpen(false)} />}
    </>
  );
}

function Sheet({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [all] = useState(presentShortcuts);
  const ofPage = all.filter(({ isOfFrame }) => isOfFrame !== true);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {ofPage.length > 0 && <List heading="On this page" shortcuts={ofPage} />}
      <List heading="On every page" shortcuts={all.filter(({ isOfFrame }) => isOfFrame === true)} />
    </Dialog>
  );
}

function List({
  heading,
  shortcuts,
}: {
  readonly heading: string;
  readonly shortcuts: readonly Shortcut[];
}): ReactElement {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="text-small font-medium text-text-3">
        {heading}
      </h3>
      <dl className="grid grid-cols-[72px_1fr] items-center gap-x-4 gap-y-1.5">
        {shortcuts.map(({ keys, does }) => (
          <div key={`${keys} ${does}`} className="contents">
            <dt className="flex gap-1">
              {keys.split(/[ +]/).map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded-control border border-hairline bg-sunken px-1.5 text-center font-mono text-code"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
