import type { Workspace } from '@tributary/contract'
import { CURRENCIES } from '@tributary/contract/currencies'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { zoneName } from '~/components/format/time-zone.ts'
import { browserTimezone, timezones } from '~/components/format/timezones.ts'
import { parseWebsites, WebsiteField } from '../settings/program/websites.tsx'
import { RewardChoice, readReward } from './reward-choice.tsx'

const FIELDS = ['name', 'websites', 'websites.0', 'currency', 'timezone', 'cookieWindowDays']

const COMMON_CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'JPY']
const currencies = () => [...new Set([...COMMON_CURRENCIES, ...CURRENCIES])]

export const ProgramForm = ({ workspace, onDone }: { workspace: Workspace; onDone: (programId: number) => void }) => {
  const create = useChange('post /api/programs', {})
  const [currency, setCurrency] = useState('USD')
  const submit = (values: FormData) =>
    create.mutate(
      {
        body: {
          workspaceId: workspace.id,
          name: formText(values, 'name'),
          websites: parseWebsites(formText(values, 'websites')),
          currency,
          timezone: formText(values, 'timezone'),
          cookieWindowDays: Number(values.get('cookieWindowDays')),
          reward: readReward(values, currency),
        },
      },
      { onSuccess: ({ id }) => onDone(id) },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Program name" error={fieldError(create.error, 'name')}>
        {(wiring) => <Input {...wiring} name="name" maxLength={120} placeholder="Acme partners" required autoFocus />}
      </Field>
      <WebsiteField error={create.error} />
      <div className="grid grid-cols-2 gap-3">
        <Field label="Currency" error={fieldError(create.error, 'currency')}>
          {(wiring) => (
            <Select {...wiring} name="currency" value={currency} onChange={(event) => setCurrency(event.target.value)}>
              {currencies().map((code) => (
                <option key={code}>{code}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Attribution window (days)" error={fieldError(create.error, 'cookieWindowDays')}>
          {(wiring) => (
            <Input {...wiring} name="cookieWindowDays" type="number" min={1} max={365} defaultValue={60} required />
          )}
        </Field>
      </div>
      <Field
        label="Time zone"
        hint="Used for reports and all displayed times."
        error={fieldError(create.error, 'timezone')}
      >
        {(wiring) => (
          <Select {...wiring} name="timezone" defaultValue={browserTimezone()}>
            {timezones(browserTimezone()).map((zone) => (
              <option key={zone} value={zone}>
                {zoneName(zone)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <RewardChoice currency={currency} />
      <FormError error={create.error} fields={FIELDS} />
      <Button type="submit" look="primary" busy={create.isPending} className="mt-1 h-9 w-full">
        Create program
      </Button>
    </Form>
  )
}
