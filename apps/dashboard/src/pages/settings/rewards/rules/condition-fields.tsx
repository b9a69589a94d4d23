import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '~/components/controls/button.tsx'
import { Field, Input, Select, Textarea } from '~/components/controls/field.tsx'
import { MoneyInput } from '~/components/controls/money-input.tsx'
import { Menu, MenuItem } from '~/components/overlays/menu.tsx'
import { messageAt, type Refusal } from './refusal.ts'
import { type ConditionDrafts, type ConditionName, minimumCurrency } from './rule-draft.ts'

type Condition = { label: string; hint?: string; first: string }

/** What a condition is called, and what it starts with. */
const CONDITIONS: Record<ConditionName, Condition> = {
  products: { label: 'Products', hint: 'One product ID per line, as in the items of your sales.', first: '' },
  plans: { label: 'Plans', hint: 'One plan or price ID per line.', first: '' },
  interval: { label: 'Billing interval', first: 'year' },
  payment: { label: 'First payment or renewal', first: 'first' },
  currencies: { label: 'Currencies', hint: 'Codes such as USD, EUR.', first: '' },
  countries: { label: 'Countries', hint: 'Codes such as US, DE, of the click.', first: '' },
  minAmountCents: { label: 'Minimum amount', hint: 'Of the whole sale, without tax.', first: '' },
}
const NAMES = Object.keys(CONDITIONS) as ConditionName[]

const CHOICES = {
  interval: { year: 'Yearly', month: 'Monthly', one_time: 'One-time' },
  payment: { first: 'First payment', renewal: 'Renewals' },
}

type Props = {
  when: ConditionDrafts
  currency: string
  /** Where the rule is in the form. */
  place: string
  refusal: Refusal
  onChange: (when: ConditionDrafts) => void
}

export const ConditionFields = ({ when, currency, place, refusal, onChange }: Props) => {
  const given = NAMES.filter((name) => when[name] !== undefined)
  const others = NAMES.filter((name) => when[name] === undefined)
  const remove = (removed: ConditionName) =>
    onChange(Object.fromEntries(Object.entries(when).filter(([name]) => name !== removed)))
  return (
    <div className="flex flex-col gap-3">
      {given.map((name) => (
        <div key={name} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <Field
              label={CONDITIONS[name].label}
              hint={CONDITIONS[name].hint}
              error={messageAt(refusal, `${place}.when.${name}`)}
            >
              {(wiring) => (
                <Control
                  name={name}
                  wiring={wiring}
                  value={when[name] ?? ''}
                  currency={minimumCurrency(when, currency)}
                  onChange={(value) => onChange({ ...when, [name]: value })}
                />
              )}
            </Field>
          </div>
          <Button
            look="quiet"
            size="icon"
            className="mt-6.5"
            aria-label={`Remove condition: ${CONDITIONS[name].label}`}
            onClick={() => remove(name)}
          >
            <X aria-hidden />
          </Button>
        </div>
      ))}
      {given.length === 0 && <p className="text-faint text-xs">Without conditions, the rule is for everything.</p>}
      {others.length > 0 && (
        <Menu
          align="start"
          trigger={
            <Button look="quiet" size="small" className="-ml-2.5 self-start">
              <Plus aria-hidden /> Add a condition
            </Button>
          }
        >
          {others.map((name) => (
            <MenuItem key={name} onSelect={() => onChange({ ...when, [name]: CONDITIONS[name].first })}>
              {CONDITIONS[name].label}
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  )
}

type Wiring = Parameters<Parameters<typeof Field>[0]['children']>[0]
type ControlProps = {
  name: ConditionName
  wiring: Wiring
  value: string
  currency: string
  onChange: (value: string) => void
}

const Control = ({ name, wiring, value, currency, onChange }: ControlProps): ReactNode => {
  const props = {
    ...wiring,
    value,
    required: true,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  if (name === 'interval' || name === 'payment')
    return (
      <Select {...props}>
        {Object.entries(CHOICES[name]).map(([choice, label]) => (
          <option key={choice} value={choice}>
            {label}
          </option>
        ))}
      </Select>
    )
  if (name === 'minAmountCents') return <MoneyInput {...props} currency={currency} />
  if (name === 'products' || name === 'plans')
    return <Textarea {...props} rows={Math.max(2, value.split('\n').length)} className="min-h-0 font-mono" />
  return <Input {...props} autoCapitalize="characters" />
}
