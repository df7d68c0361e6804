import { Lock } from "lucide-react";
import type { ReactElement } from "react";

/** What a person reads at the address of a page that is for owners of both environments. */
export function Denied({ what }: { readonly what: string }): ReactElement {
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-panel border border-hairline bg-surface px-4 py-3 text-text"
    >
      <Lock aria-hidden size={16} className="mt-0.5 shrink-0 text-text-2" />
      <div>
        <p className="font-medium">Only owners of both environments see {what}.</p>
        <p className="text-text-2">If you need it, ask one of them to change your access.</p>
      </div>
    </div>
  );
}
