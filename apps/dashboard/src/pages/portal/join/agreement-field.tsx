import type { Agreement } from '@tributary/contract'
import { useState } from 'react'
import { Markdown } from '~/components/markdown.tsx'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { TEXT_LINK } from '~/pages/sign-in/auth-layout.tsx'

/** A required checkbox with the agreement to read. Nothing for a program without one. */
export const AgreementField = ({ agreement }: { agreement: Agreement | null }) => {
  const [isOpen, setOpen] = useState(false)
  if (!agreement) return null
  return (
    <div className="flex items-start gap-2.5 text-sm">
      <input
        id="agreement"
        type="checkbox"
        required
        aria-describedby="agreement-text"
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <p id="agreement-text">
        <label htmlFor="agreement">I accept the program agreement.</label>{' '}
        <button type="button" className={TEXT_LINK} onClick={() => setOpen(true)}>
          Read it
        </button>
      </p>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Program agreement">
        <Markdown text={agreement.text} />
      </Dialog>
    </div>
  )
}
