import { Info } from 'lucide-react'
import type { PortalProgram } from '~/api/portal.ts'

const SENTENCES: Partial<Record<PortalProgram['status'], string>> = {
  suspended:
    'The program has paused your partnership: new clicks on your links do not count. What you earned stays here.',
  rejected: 'The program has declined your application. If that surprises you, ask whoever runs it.',
}

/** Said above every page while it is so. */
export const Standing = ({ status }: { status: PortalProgram['status'] }) => {
  const sentence = SENTENCES[status]
  if (!sentence) return null
  return (
    <div className="mx-auto max-w-6xl px-4 pt-6 sm:px-6 lg:px-8">
      <p className="flex items-start gap-2 rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn-ink">
        <Info aria-hidden className="mt-px size-4 shrink-0" /> {sentence}
      </p>
    </div>
  )
}
