import type { Workspace } from '@tributary/contract'
import { CURRENCIES } from '@tributary/contract/currencies'
import { useState } from 'react'
import { useChange } from '~/api/call.ts'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Select } from '~/components/controls/field.tsx'
import { FieldRow } from '~/components/controls/field-row.tsx'
import { Form, FormError, fieldError, formText } from '~/components/controls/form.tsx'
import { browserCurrency } from '~/components/format/browser-currency.ts'
import { zoneName } from '~/components/format/time-zone.ts'
import { browserTimezone, timezones } from '~/components/format/timezones.ts'
import { parseWebsites, WebsiteField } from '../settings/program/websites.tsx'
import { refusalOf } from '../settings/rewards/rules/refusal.ts'
import { RewardChoice, requestOf, useFirstReward } from './reward-choice.tsx'

const FIELDS = ['name', 'websites', 'websites.0', 'currency', 'timezone', 'cookieWindowDays']

const COMMON_CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'JPY']
const currencies = () => [...new Set([browserCurrency(), ...COMMON_CURRENCIES, ...CURRENCIES])]

type Props = { workspace: Workspace | undefined; onDone: (programId: number) => void }

/** Creates the program, and first its workspace if there is none. */
export const ProgramForm = ({ workspace, onDone }: Props) => {
  const createWorkspace = useChange('post /api/workspaces', {})
  const create = useChange('post /api/programs', {})
  const [currency, setCurrency] = useState(browserCurrency)
  const [reward, setReward] = useFirstReward()
  const refusal = refusalOf(create.error, 'reward.')
  // A second attempt uses the workspace of the first.
  const workspaceId = workspace?.id ?? createWorkspace.data?.id
  const createIn = (id: string, values: FormData) =>
    create.mutate(
      {
        body: {
          workspaceId: id,
          name: formText(values, 'name'),
          websites: parseWebsites(formText(values, 'websites')),
          currency,
          timezone: formText(values, 'timezone'),
          cookieWindowDays: Number(values.get('cookieWindowDays')),
          reward: requestOf(reward, currency),
        },
      },
      { onSuccess: (program) => onDone(program.id) },
    )
  const submit = (values: FormData) =>
    workspaceId
      ? createIn(workspaceId, values)
      : createWorkspace.mutate(
          { body: { name: formText(values, 'workspaceName') } },
          { onSuccess: ({ id }) => createIn(id, values) },
        )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Names needsWorkspace={!workspaceId} workspaceError={createWorkspace.error} error={create.error} />
      <WebsiteField error={create.error} />
      <Divider />
      <RewardChoice reward={reward} onChange={setReward} currency={currency} refusal={refusal} />
      <Divider />
      <Basics currency={currency} onCurrency={setCurrency} error={create.error} />
      <FormError error={createWorkspace.error} fields={['name']} />
      <FormError error={create.error} fields={[...FIELDS, ...(refusal ? [refusal.field] : [])]} />
      <Button
        type="submit"
        look="primary"
        busy={createWorkspace.isPending || create.isPending}
        className="mt-1 h-9 w-full"
      >
        Create program
      </Button>
    </Form>
  )
}

type BasicsProps = { currency: string; onCurrency: (code: string) => void; error: unknown }

const Basics = ({ currency, onCurrency, error }: BasicsProps) => (
  <FieldRow>
    <Field label="Currency" error={fieldError(error, 'currency')}>
      {(wiring) => (
        <Select {...wiring} name="currency" value={currency} onChange={(event) => onCurrency(event.target.value)}>
          {currencies().map((code) => (
            <option key={code}>{code}</option>
          ))}
        </Select>
      )}
    </Field>
    <Field label="Time zone" error={fieldError(error, 'timezone')}>
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
    <Field
      label="Attribution window (days)"
      hint="How long after a click a sign-up is credited."
      error={fieldError(error, 'cookieWindowDays')}
    >
      {(wiring) => (
        <Input {...wiring} name="cookieWindowDays" type="number" min={1} max={365} defaultValue={60} required />
      )}
    </Field>
  </FieldRow>
)

const Divider = () => <hr className="border-line" />

type NamesProps = { needsWorkspace: boolean; workspaceError: unknown; error: unknown }

/** The program is named after the workspace until someone enters another name. */
const Names = ({ needsWorkspace, workspaceError, error }: NamesProps) => {
  const [company, setCompany] = useState('')
  const [entered, setEntered] = useState<string | null>(null)
  const suggested = company.trim() && `${company.trim().slice(0, 111)} partners`
  const program = (
    <Field label="Program name" hint="What partners see." error={fieldError(error, 'name')}>
      {(wiring) => (
        <Input
          {...wiring}
          name="name"
          value={entered ?? suggested}
          onChange={(event) => setEntered(event.target.value)}
          maxLength={120}
          placeholder="Acme partners"
          required
          autoFocus={!needsWorkspace}
        />
      )}
    </Field>
  )
  if (!needsWorkspace) return program
  return (
    <FieldRow>
      <Field label="Workspace name" hint="Usually your company." error={fieldError(workspaceError, 'name')}>
        {(wiring) => (
          <Input
            {...wiring}
            name="workspaceName"
            value={company}
            onChange={(event) => setCompany(event.target.value)}
            maxLength={120}
            placeholder="Acme Inc."
            autoComplete="organization"
            required
            autoFocus
          />
        )}
      </Field>
      {program}
    </FieldRow>
  )
}
