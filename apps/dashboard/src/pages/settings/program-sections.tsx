import type { Program } from '@tributary/contract'
import { CURRENCIES } from '@tributary/contract/currencies'
import { SETTING_PERMISSIONS } from '@tributary/contract/setting-permissions'
import { useProgram } from '~/app/program-context.ts'
import { CopyButton } from '~/components/copy.tsx'
import { Field, Input, Select, Textarea } from '~/components/field.tsx'
import { fieldError } from '~/components/form.tsx'
import { Switch } from '~/components/switch.tsx'
import { timezones } from '~/components/timezones.ts'
import { instance } from '~/instance.ts'
import { Section } from './section.tsx'
import { WebsitesField } from './websites.tsx'

type Props = { program: Program; error: unknown; disabled: boolean }

/** Some settings need more than `program:update`: their controls say so in place of the hint. */
const useLocks = () => {
  const { may } = useProgram()
  return (name: keyof typeof SETTING_PERMISSIONS, hint: string) => {
    const isLocked = may('program:update') && !may(SETTING_PERMISSIONS[name])
    return { hint: isLocked ? 'Only owners and admins can change this.' : hint, disabled: isLocked }
  }
}

export const DetailsSection = ({ program, error, disabled }: Props) => {
  const currency = useLocks()('currency', 'Of new rewards and totals. Sales keep their own.')
  return (
    <Section title="Details" description="Its name and site, and how money and days are counted." disabled={disabled}>
      <Field label="Name" error={fieldError(error, 'name')}>
        {(wiring) => <Input {...wiring} name="name" maxLength={120} defaultValue={program.name} required />}
      </Field>
      <WebsitesField websites={program.websites} error={error} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Currency" hint={currency.hint} error={fieldError(error, 'currency')}>
          {(wiring) => (
            <Select {...wiring} name="currency" disabled={currency.disabled} defaultValue={program.currency}>
              {[...new Set([...CURRENCIES, program.currency])].map((code) => (
                <option key={code}>{code}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Time zone" hint="Days in reports begin and end here." error={fieldError(error, 'timezone')}>
          {(wiring) => (
            <Select {...wiring} name="timezone" defaultValue={program.timezone}>
              {timezones(program.timezone).map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </Section>
  )
}

export const AttributionSection = ({ program, error, disabled }: Props) => {
  const locks = useLocks()
  const days = locks('cookieWindowDays', 'How long after a click it still counts.')
  const model = locks('attributionModel', 'When several partners sent the same person.')
  return (
    <Section
      title="Attribution"
      description="Which click a lead or sale is credited to. Decisions that were made stay as they are."
      disabled={disabled}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Window, in days" hint={days.hint} error={fieldError(error, 'cookieWindowDays')}>
          {(wiring) => (
            <Input
              {...wiring}
              name="cookieWindowDays"
              disabled={days.disabled}
              type="number"
              min={1}
              max={365}
              defaultValue={program.cookieWindowDays}
              required
            />
          )}
        </Field>
        <Field label="Model" hint={model.hint} error={fieldError(error, 'attributionModel')}>
          {(wiring) => (
            <Select
              {...wiring}
              name="attributionModel"
              disabled={model.disabled}
              defaultValue={program.attributionModel}
            >
              <option value="last_click">The last click wins</option>
              <option value="first_click">The first click wins</option>
            </Select>
          )}
        </Field>
      </div>
    </Section>
  )
}

export const TrackingSection = ({ program, error, disabled }: Props) => {
  const leads = useLocks()(
    'leadAuth',
    'Commissions of a customer that only a browser reported wait until your server or a payment confirms them.',
  )
  return (
    <Section title="Tracking" description="Where leads and sales come from." disabled={disabled}>
      <Field label="Leads" hint={leads.hint} error={fieldError(error, 'leadAuth')}>
        {(wiring) => (
          <Select {...wiring} name="leadAuth" disabled={leads.disabled} defaultValue={program.leadAuth}>
            <option value="server_required">From your server, with an API key</option>
            <option value="browser_allowed">From your server or the visitor’s browser</option>
          </Select>
        )}
      </Field>
      <Field label="Payments" error={fieldError(error, 'paymentTrackingMode')}>
        {(wiring) => (
          <Select {...wiring} name="paymentTrackingMode" defaultValue={program.paymentTrackingMode}>
            <option value="processor_connect">From the payment processor</option>
            <option value="s2s">From your server</option>
          </Select>
        )}
      </Field>
    </Section>
  )
}

export const PartnersSection = ({ program, error, disabled }: Props) => {
  const address = `${instance.baseUrl}/apply/${program.id}`
  return (
    <Section
      title="Partners"
      description="How people become partners, and what they may do themselves."
      disabled={disabled}
    >
      <Switch
        name="applicationsOpen"
        label="Open for applications"
        hint="Anybody may apply on the page below. You approve or reject each."
        defaultChecked={program.applicationsOpen}
        disabled={disabled}
      />
      <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 truncate font-mono text-soft text-xs">{address}</code>
        <CopyButton text={address} label="Copy" look="secondary" />
      </div>
      <Field label="Text of the application page" optional error={fieldError(error, 'applicationText')}>
        {(wiring) => (
          <Textarea {...wiring} name="applicationText" maxLength={2000} defaultValue={program.applicationText ?? ''} />
        )}
      </Field>
      <Switch
        name="partnersCreateLinks"
        label="Partners make their own links"
        hint="In the partner portal. Otherwise you make them."
        defaultChecked={program.partnersCreateLinks}
        disabled={disabled}
      />
    </Section>
  )
}
