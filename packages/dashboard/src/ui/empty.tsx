import type { ReactElement, ReactNode } from "react";

/** What a list without entries says: what belongs here, and how to begin. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactElement {
  return (
    <div className="flex flex-col items-start gap-3 rounded-panel border border-dashed border-control bg-surface px-5 py-6">
      <p className="text-section font-semibold">{title}</p>
      {children}
    </div>
  );
}
