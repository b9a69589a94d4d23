import { Info } from 'lucide-react'
import type { PortalProgram } from '~/api/portal.ts'

const describeStatus = ({ status, archived, programName }: PortalProgram) => {
  if (archived)
    return `Your partnership with ${programName} is archived. New clicks on your links don’t count. Your balance will still be paid.`
  if (status === 'suspended')
    return `Your partnership with ${programName} is suspended. New clicks on your links don’t count, new commissions go to review, and you are excluded from payouts. Your balance stays.`
  if (status === 'rejected')
    return `Your application to ${programName} was rejected. New clicks on your links don’t count, and you are excluded from payouts. If you think this is a mistake, contact ${programName}.`
  return null
}

export const StatusNotice = ({ program }: { program: PortalProgram }) => {
  const sentence = describeStatus(program)
  const { status, decisionMessage } = program
  if (!sentence) return null
  return (
    <div className="mx-auto max-w-6xl px-4 pt-6 sm:px-6 lg:px-8 print:hidden">
      <p className="flex items-start gap-2 rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn-ink">
        <Info aria-hidden className="mt-px size-4 shrink-0" />
        <span className="min-w-0">
          {sentence}
          {status === 'rejected' && decisionMessage && (
            <span className="wrap-anywhere mt-1 block whitespace-pre-line">
              Message from {program.programName}: {decisionMessage}
            </span>
          )}
        </span>
      </p>
    </div>
  )
}
