import { useEffect, type ReactElement, type ReactNode } from "react";
import { notePageShown } from "../shell/page.tsx";

interface CardProps {
  readonly heading: string;
  readonly isLoading?: boolean;
  readonly children: ReactNode;
}

/** The frame of the pages before a person has signed in. */
export function Card({ heading, isLoading = false, children }: CardProps): ReactElement {
  useEffect(() => {
    document.title = `${heading} · Procedo`;
  }, [heading]);
  useEffect(notePageShown, []);
  return (
    <main
      id="content"
      tabIndex={-1}
      aria-busy={isLoading}
      className="flex min-h-dvh flex-col items-center gap-6 px-4 pt-[14dvh] pb-8 outline-none"
    >
      <p className="flex items-center gap-2 text-section font-semibold tracking-tight">
        <img src="./icon.svg" alt="" className="size-6" />
        Procedo
      </p>
      <div className="flex w-full max-w-sm flex-col gap-4 rounded-panel border border-hairline bg-surface p-6">
        <h1 className="text-heading font-semibold">{heading}</h1>
        {children}
      </div>
    </main>
  );
}
