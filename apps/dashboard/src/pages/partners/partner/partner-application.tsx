import type { Application } from '@tributary/contract'
import { Card, CardHeader } from '~/components/card.tsx'
import { formatCountry, formatDate } from '~/components/format/format.ts'

/** What the partner answered when they applied. Nothing for partners who were added. */
export const PartnerApplication = ({ application }: { application: Application | null }) => {
  if (!application || (application.answers.length === 0 && !application.country && !application.message)) return null
  const { answers, country, emailConfirmed, message, appliedAt } = application
  const facts = [
    ...answers.map(({ question, answer }) => ({ label: question, text: answer })),
    ...(country ? [{ label: 'Applied from', text: formatCountry(country) }] : []),
    ...(emailConfirmed ? [{ label: 'Email address', text: 'Confirmed' }] : []),
    ...(message ? [{ label: 'Your message', text: message }] : []),
  ]
  return (
    <Card weight="quiet">
      <CardHeader title="Application" description={`Received ${formatDate(appliedAt)}`} />
      <dl className="flex flex-col gap-3 px-5 pt-3 pb-5 text-sm">
        {facts.map(({ label, text }) => (
          <div key={label}>
            <dt className="text-faint text-xs">{label}</dt>
            <dd className="wrap-anywhere mt-0.5 whitespace-pre-line">{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
