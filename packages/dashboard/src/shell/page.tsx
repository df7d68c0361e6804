import { use, useEffect, useRef, type ReactElement, type ReactNode } from "react";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { EnvironmentContext, environmentNames } from "./environment.ts";

interface PageProps {
  readonly heading: string;
  /** Beside the heading. */
  readonly actions?: ReactNode;
  /** Below the heading. */
  readonly subtitle?: ReactNode;
  /** Whether the content is being read for the first time. */
  readonly isLoading?: boolean;
  /** The failure of the page's main request. */
  readonly error?: unknown;
  readonly onRetry?: (() => void) | undefined;
  readonly children?: ReactNode;
}

/** The content of a page under its heading, which is also the window's title. */
export function Page({
  heading,
  actions,
  subtitle,
  isLoading = false,
  error,
  onRetry,
  children,
}: PageProps): ReactElement {
  return (
    <main
      id="content"
      tabIndex={-1}
      aria-busy={isLoading}
      className="mx-auto flex w-full max-w-[1440px] flex-col gap-4 p-4 pb-20 outline-none md:p-6 md:pb-20 print:pb-0"
    >
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <PageHeading>{heading}</PageHeading>
          {subtitle !== undefined && <div className="text-text-2">{subtitle}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2 sm:justify-end">{actions}</div>}
      </header>
      {error !== undefined && error !== null && <Problem error={error} onRetry={onRetry} />}
      {isLoading ? <Skeleton /> : children}
    </main>
  );
}

let hasNavigated = false;

/** Tells that a page without such a heading was shown, so that the next heading gets the focus. */
export function notePageShown(): void {
  hasNavigated = true;
}

/** The one heading of a page, which is also the window's title. Pages with a layout of their own place it themselves. */
export function PageHeading({ children }: { readonly children: string }): ReactElement {
  usePageTitle(children);
  const title = useRef<HTMLHeadingElement>(null);
  // A screen reader goes on at the heading of the new page. The first page of a visit is read from its beginning.
  useEffect(() => {
    if (hasNavigated) title.current?.focus();
    notePageShown();
  }, []);
  return (
    <h1 ref={title} tabIndex={-1} className="text-heading font-semibold wrap-anywhere outline-none">
      {children}
    </h1>
  );
}

/** Sets the window's title: heading, environment, product. */
function usePageTitle(heading: string): void {
  const environment = use(EnvironmentContext);
  useEffect(() => {
    const names = environment === undefined ? [heading] : [heading, environmentNames[environment]];
    document.title = [...names, "Procedo"].join(" · ");
  }, [heading, environment]);
}
