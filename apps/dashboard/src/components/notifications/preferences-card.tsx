import type { NotificationChoice, NotificationKind } from '@tributary/contract'
import { SUMMARY_FREQUENCIES, type SummaryFrequency } from '@tributary/contract/notification-kinds'
import { BellOff } from 'lucide-react'
import { type Inbox, type Preferences, usePreferences, useSetPreferences } from '~/api/notifications.ts'
import { Card, CardHeader } from '../card.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { toast } from '../overlays/toast.tsx'
import { SkeletonRows } from '../skeleton.tsx'
import { EmptyState, QueryView } from '../states.tsx'
import { KIND_TEXT } from './kind-text.ts'

const FREQUENCIES: Record<SummaryFrequency, string> = { weekly: 'Weekly', monthly: 'Monthly', off: 'Off' }

type Props = { inbox: Inbox; hidden?: NotificationKind[] }

/** Which notifications the reader gets. Each change is saved immediately. */
export const PreferencesCard = ({ inbox, hidden = [] }: Props) => {
  const preferences = usePreferences(inbox)
  return (
    <Card>
      <CardHeader
        title="Your notifications"
        description="For your account and this program only. Changes are saved immediately."
      />
      <div className="mt-3 border-line border-t">
        <QueryView
          query={preferences}
          loading={<SkeletonRows />}
          isEmpty={({ kinds }) => kinds.length === 0}
          empty={
            <EmptyState icon={<BellOff />} title="No notifications for your role">
              Owners and admins get notifications about applications, payouts and problems.
            </EmptyState>
          }
        >
          {(loaded) => <Choices inbox={inbox} preferences={loaded} hidden={hidden} />}
        </QueryView>
      </div>
    </Card>
  )
}

const Choices = ({ inbox, preferences, hidden }: Required<Props> & { preferences: Preferences }) => {
  const save = useSetPreferences(inbox)
  const { hasMail } = preferences
  const kinds = preferences.kinds.filter(({ kind }) => !hidden.includes(kind))
  const set = (change: Parameters<typeof save.mutate>[0]) => save.mutate(change, { onError: toast.failed })
  return (
    <>
      {!hasMail && (
        <p className="border-line border-b px-5 py-3 text-soft text-sm">
          {inbox.audience === 'partner'
            ? 'This program doesn’t send emails. Notifications appear only in the portal.'
            : 'This service can’t send email because no mail server is set up. Notifications appear only in the app.'}
        </p>
      )}
      <table className="w-full text-sm">
        <thead className="text-left text-faint text-xs">
          <tr className="border-line border-b">
            <th scope="col" className="px-5 py-2 font-medium">
              Notification
            </th>
            {hasMail && (
              <th scope="col" className="w-16 px-2 py-2 text-center font-medium">
                Email
              </th>
            )}
            <th scope="col" className="w-16 py-2 pr-5 pl-2 text-center font-medium">
              {inbox.audience === 'partner' ? 'Portal' : 'App'}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {kinds.map((choice) => (
            <Choice key={choice.kind} choice={choice} hasMail={hasMail} onChange={(next) => set({ kinds: [next] })} />
          ))}
        </tbody>
      </table>
      {'summary' in preferences && (
        <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t px-5 py-4">
          <p className="font-medium text-sm">How often you get a summary</p>
          <Segmented
            label="How often you get a summary"
            value={preferences.summary}
            // The checkboxes turn the summary off. "Off" is shown only where it was chosen before.
            options={SUMMARY_FREQUENCIES.filter((value) => value !== 'off' || preferences.summary === value).map(
              (value) => ({ value, label: FREQUENCIES[value] }),
            )}
            onChange={(summary) => set({ kinds: [], summary })}
          />
        </div>
      )}
    </>
  )
}

type ChoiceProps = { choice: NotificationChoice; hasMail: boolean; onChange: (choice: NotificationChoice) => void }

const Choice = ({ choice, hasMail, onChange }: ChoiceProps) => {
  const { label, hint } = KIND_TEXT[choice.kind]
  const box = (name: 'mail' | 'app', title: string) => (
    <input
      type="checkbox"
      aria-label={`${label}: ${title}`}
      checked={choice[name]}
      onChange={(event) => onChange({ ...choice, [name]: event.target.checked })}
      className="size-4 accent-accent"
    />
  )
  return (
    <tr>
      <th scope="row" className="px-5 py-3 text-left font-normal">
        <span className="block font-medium">{label}</span>
        <span className="mt-0.5 block text-faint text-xs">{hint}</span>
      </th>
      {hasMail && <td className="px-2 text-center">{box('mail', 'email')}</td>}
      <td className="pr-5 pl-2 text-center">{box('app', 'app')}</td>
    </tr>
  )
}
