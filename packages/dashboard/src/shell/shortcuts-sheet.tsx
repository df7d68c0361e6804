import { useNavigate } from "@tanstack/react-router";
import { Keyboard } from "lucide-react";
import { useMemo, useState, type ReactElement } from "react";
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
      { keys: "g h", does: "Go to Home", run: go("/$environment") },
      { keys: "g r", does: "Go to Runs", run: go("/$environment/runs") },
      { keys: "g q", does: "Go to Pending Reviews", run: go("/$environment/reviews") },
      { keys: "g p", does: "Go to Procedures", run: go("/$environment/procedures") },
      { keys: "?", does: "Show the keyboard shortcuts", run: () => setOpen(true) },
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
        className="text-inherit max-sm:hidden"
      />
      {isOpen && (
        <Dialog title="Keyboard shortcuts" onClose={() => setOpen(false)}>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
            {presentShortcuts().map(({ keys, does }) => (
              <div key={keys} className="contents">
                <dt>
                  <kbd className="rounded-control border border-control bg-sunken px-1.5 font-mono text-code">
                    {keys}
                  </kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </>
  );
}
