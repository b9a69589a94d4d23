import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './controls/button.tsx'
import { CopyButton } from './copy.tsx'

type Props = {
  secret: string
  /** "key" or "secret". */
  noun: string
  onDone: () => void
  children: ReactNode
}

/** A value that the service shows only in this response. Its dialog closes only with the button. */
export const ShownOnce = ({ secret, noun, onDone, children }: Props) => (
  <div data-shown-once className="flex flex-col gap-4">
    <p className="flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      Copy this {noun} now. You won’t be able to see it again.
    </p>
    <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-2 pr-2 pl-3">
      <code data-testid="secret" className="min-w-0 flex-1 break-all font-mono text-xs">
        {secret}
      </code>
      <CopyButton text={secret} label={`Copy ${noun}`} look="secondary" />
    </div>
    <p className="text-soft text-sm">{children}</p>
    <div className="flex justify-end">
      <Button look="primary" onClick={onDone}>
        Done
      </Button>
    </div>
  </div>
)
