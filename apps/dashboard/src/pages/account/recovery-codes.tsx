import { Download, TriangleAlert } from 'lucide-react'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { CopyButton } from '~/components/copy.tsx'

/** Shown once; closing the dialog discards them. */
export const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => {
  const text = `${codes.join('\n')}\n`
  return (
    <div data-shown-once className="flex flex-col gap-4">
      <p className="flex items-start gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn-ink">
        <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        Save these recovery codes now. You won’t be able to see them again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-lg border border-line bg-sunken px-4 py-3 text-center font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="text-soft text-sm">
        If you lose your phone, sign in with one of them instead of a code. Each works once. Keep them in a password
        manager or print them.
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={text} label="Copy codes" look="secondary" size="medium" />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="tributary-recovery-codes.txt"
          className={buttonClass()}
        >
          <Download aria-hidden /> Download
        </a>
        <Button look="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
