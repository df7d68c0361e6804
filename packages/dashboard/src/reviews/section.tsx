import type { ReactElement, ReactNode } from "react";

/** A named part of a review. */
export function Section({
  title,
  name = title,
  children,
}: {
  readonly title: string;
  /** Its name for assistive technology. */
  readonly name?: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <section aria-label={name} className="flex break-inside-avoid flex-col gap-2">
      <h2 className="text-small font-semibold text-text-2">{title}</h2>
      {children}
    </section>
  );
}

/** A term with its definition, in a `dl`. */
export function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3 max-sm:grid-cols-[7rem_minmax(0,1fr)]">
      <dt className="text-text-2">{term}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}
