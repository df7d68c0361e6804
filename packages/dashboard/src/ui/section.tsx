import type { ReactElement, ReactNode } from "react";

/** A named part of a page. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3">
      <h2 className="text-section font-semibold">{title}</h2>
      {children}
    </section>
  );
}
