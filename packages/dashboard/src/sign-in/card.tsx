import { useEffect, type ReactElement, type ReactNode } from "react";

/** The frame of the pages before a person has signed in. */
export function Card({ heading, children }: { readonly heading: string; readonly children: ReactNode }): ReactElement {
  useEffect(() => {
    document.title = `${heading} · Procedo`;
  }, [heading]);
  return (
    <main id="content" className="flex min-h-dvh flex-col items-center justify-center gap-6 bg-canvas p-4">
      <p className="text-section font-semibold tracking-tight">Procedo</p>
      <div className="flex w-full max-w-sm flex-col gap-4 rounded-panel border border-hairline bg-surface p-6">
        <h1 className="text-heading font-semibold">{heading}</h1>
        {children}
      </div>
    </main>
  );
}
