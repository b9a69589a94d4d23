import { Link } from '@tanstack/react-router'
import type { Program } from '@tributary/contract'
import { CURRENCIES } from '@tributary/contract/currencies'
import { SETTING_PERMISSIONS } from '@tributary/contract/setting-permissions'
import { useState } from 'react'
import type { ProgramContext } from '~/app/program-context.ts'
import { Field, Input, Select, Textarea } from '~/components/controls/field.tsx'
import { fieldError } from '~/components/controls/form.tsx'
import { Switch } from '~/components/controls/switch.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { zoneName } from '~/components/format/time-zone.ts'
import { timezones } from '~/components/format/timezones.ts'
import { instance } from '~/instance.ts'
import { PROGRAM_CHOICES, PROGRAM_LABELS } from './program-labels.ts'
import { Section } from './section.tsx'
import { WebsitesField } from './websites.tsx'

type Props = { program: Program; error: unknown; disabled: boolean; may: ProgramContext['may'] }

const LEADS_HINT =
  'If a browser reports a lead, its commission stays in review until your server or a payment confirms the lead.'

/** Locks a setting the role can see but not change, and says who can. */
const lockSetting = ({ may, disabled }: Pick<Props, 'may' | 'disabled'>, name: keyof typeof SETTING_PERMISSIONS) => {
  const isLocked = !disabled && !may(SETTING_PERMISSIONS[name])
  return {
    control: { name, disabled: isLocked },
    hint: (text: string) => (isLocked ? 'Only owners and admins can change this.' : text),
  }
}

export const DetailsSection = ({ program, error, disabled, may }: Props) => {
  const currency = lockSetting({ may, disabled }, 'currency')
  return (
    <Section title="Details" description="Name, websites, currency and time zone." disabled={disabled}>
      <Field label={PROGRAM_LABELS.name} error={fieldError(error, 'name')}>
        {(wiring) => <Input {...wiring} name="name" maxLength={120} defaultValue={program.name} required />}
      </Field>
      <WebsitesField websites={program.websites} error={error} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={PROGRAM_LABELS.currency}
          hint={currency.hint(
            'The currency of new rewards and of the totals on the overview. A sale keeps the currency it was paid in.',
          )}
          error={fieldError(error, 'currency')}
        >
          {(wiring) => (
            <Select {...wiring} {...currency.control} defaultValue={program.currency}>
              {[...new Set([...CURRENCIES, program.currency])].map((code) => (
                <option key={code}>{code}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label={PROGRAM_LABELS.timezone}
          hint="Used for reports and all displayed times."
          error={fieldError(error, 'timezone')}
        >
          {(wiring) => (
            <Select {...wiring} name="timezone" defaultValue={program.timezone}>
              {timezones(program.timezone).map((zone) => (
                <option key={zone} value={zone}>
                  {zoneName(zone)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </Section>
  )
}

export const AttributionSection = ({ program, error, disabled, may }: Props) => {
  const days = lockSetting({ may, disabled }, 'cookieWindowDays')
  const model = lockSetting({ may, disabled }, 'attributionModel')
  return (
    <Section
      title="Attribution"
      description="Choose which click gets credit for a lead. That customer’s sales go to the same partner. Past attributions don’t change."
      disabled={disabled}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={PROGRAM_LABELS.cookieWindowDays}
          hint={days.hint('A lead is credited if it arrives within this many days of the click.')}
          error={fieldError(error, 'cookieWindowDays')}
        >
          {(wiring) => (
            <Input
              {...wiring}
              {...days.control}
              type="number"
              min={1}
              max={365}
              defaultValue={program.cookieWindowDays}
              required
            />
          )}
        </Field>
        <Field
          label={PROGRAM_LABELS.attributionModel}
          hint={model.hint('Decides which click counts if a person clicked more than once.')}
          error={fieldError(error, 'attributionModel')}
        >
          {(wiring) => (
            <Select {...wiring} {...model.control} defaultValue={program.attributionModel}>
              <Choices of="attributionModel" />
            </Select>
          )}
        </Field>
      </div>
    </Section>
  )
}

export const TrackingSection = ({ program, error, disabled, may }: Props) => {
  const leads = lockSetting({ may, disabled }, 'leadAuth')
  const [leadAuth, setLeadAuth] = useState<string>(program.leadAuth)
  return (
    <Section title="Tracking" description="How leads and sales reach Tributary." disabled={disabled}>
      <Field
        label={PROGRAM_LABELS.leadAuth}
        hint={leads.hint(leadAuth === 'browser_allowed' ? LEADS_HINT : '')}
        error={fieldError(error, 'leadAuth')}
      >
        {(wiring) => (
          <Select
            {...wiring}
            {...leads.control}
            defaultValue={program.leadAuth}
            onChange={({ currentTarget }) => setLeadAuth(currentTarget.value)}
          >
            <Choices of="leadAuth" />
          </Select>
        )}
      </Field>
      <Field label={PROGRAM_LABELS.paymentTrackingMode} error={fieldError(error, 'paymentTrackingMode')}>
        {(wiring) => (
          <Select {...wiring} name="paymentTrackingMode" defaultValue={program.paymentTrackingMode}>
            <Choices of="paymentTrackingMode" />
          </Select>
        )}
      </Field>
    </Section>
  )
}

const Choices = ({ of }: { of: keyof typeof PROGRAM_CHOICES }) =>
  Object.entries(PROGRAM_CHOICES[of]).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))

export const PartnersSection = ({ program, error, disabled }: Props) => {
  const applicationUrl = `${instance.portalUrl}/apply/${program.id}`
  const [isOpen, setOpen] = useState(program.applicationsOpen)
  return (
    <Section
      title="Partners"
      description="How people become partners, and what they can do in the portal."
      disabled={disabled}
    >
      <Switch
        name="applicationsOpen"
        label={PROGRAM_LABELS.applicationsOpen}
        hint={
          isOpen ? (
            <>
              Anyone can apply on the page below. You decide on each application, unless it is{' '}
              <Link
                to="/programs/$programId/settings/applications"
                params={{ programId: String(program.id) }}
                className="underline underline-offset-2"
              >
                approved automatically
              </Link>
              .
            </>
          ) : (
            'The application page is closed. Only partners you add can join.'
          )
        }
        checked={isOpen}
        onChange={setOpen}
        disabled={disabled}
      />
      {isOpen && (
        <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1.5 pr-1.5 pl-3">
          <code className="min-w-0 flex-1 truncate font-mono text-soft text-xs">{applicationUrl}</code>
          <CopyButton text={applicationUrl} label="Copy" look="secondary" />
        </div>
      )}
      <Field
        label={PROGRAM_LABELS.applicationText}
        optional
        hint="Appears on the application page, below the short description from Branding."
        error={fieldError(error, 'applicationText')}
      >
        {(wiring) => (
          <Textarea {...wiring} name="applicationText" maxLength={2000} defaultValue={program.applicationText ?? ''} />
        )}
      </Field>
      <Switch
        name="partnersCreateLinks"
        label={PROGRAM_LABELS.partnersCreateLinks}
        hint="Partners create links in the portal. Otherwise you create links for them."
        defaultChecked={program.partnersCreateLinks}
        disabled={disabled}
      />
    </Section>
  )
}
