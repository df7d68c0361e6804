import { ChevronRight } from "lucide-react";
import { useId, useState, type ReactElement, type ReactNode } from "react";

/** Fields that most steps do not need, open at first where the step has them. */
export function FieldGroup({
  title,
  isOpen,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}): ReactElement {
  const id = useId();
  // Emptying the last field closes nothing.
  const [isFirstOpen] = useState(isOpen);
  return (
    <details open={isFirstOpen} className="group border-t border-hairline pt-2">
      <summary
        id={id}
        className="flex list-none items-center gap-1.5 rounded-control py-1 font-medium text-text-2 hover:text-text"
      >
        <ChevronRight aria-hidden size={14} className="transition-transform group-open:rotate-90" />
        {title}
      </summary>
      <div role="group" aria-labelledby={id} className="flex flex-col gap-3 pt-2 pb-3">
        {children}
      </div>
    </details>
  );
}
