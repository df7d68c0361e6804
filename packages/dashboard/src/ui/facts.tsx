import type { ReactElement, ReactNode } from "react";

/** Facts of the thing that a page shows, side by side. */
export function Facts({ children }: { readonly children: ReactNode }): ReactElement {
  return <dl className="flex flex-wrap gap-x-8 gap-y-2">{children}</dl>;
}

export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="min-w-0">
      <dt className="text-small text-text-3">{name}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}
