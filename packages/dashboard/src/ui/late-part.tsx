import { lazy, Suspense, type ComponentType, type ReactElement } from "react";
import { Alert } from "./problem.tsx";

/**
 * A part of a page that is a chunk of its own. A chunk that cannot be loaded, such as without a network, costs its own part
 * and not the page with all that was typed there. Browsers keep the failure until the page is reloaded.
 *
 * @param name - begins the sentence that it could not be loaded
 * @param Frame - around that sentence. @defaultValue none
 */
export function latePart<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
  Frame?: ComponentType<Props & { readonly children: ReactElement }>,
): (props: Props) => ReactElement {
  const Failure = (props: Props): ReactElement => {
    const told = <Alert tone="review">{name} could not be loaded. Reload the page once there is a network.</Alert>;
    return Frame === undefined ? told : <Frame {...props}>{told}</Frame>;
  };
  const Part = lazy<ComponentType<Props>>(async () => ({ default: await load().catch(() => Failure) }));
  return (props) => (
    <Suspense fallback={null}>
      <Part {...props} />
    </Suspense>
  );
}
