import { Columns3, RotateCcw } from 'lucide-react'
import { useContext } from 'react'
import { buttonClass } from '~/components/controls/button.tsx'
import { FiltersInSheet } from '~/components/lists/filter-menu.tsx'
import { Menu, MenuCheckbox, MenuItem, MenuLabel, MenuSeparator } from '~/components/overlays/menu.tsx'

type Props = {
  columns: string[]
  shown: string[]
  /** Whether the user has changed them. */
  isChosen: boolean
  onChange: (shown: string[] | null) => void
}

/** Which columns a list shows. The first always stays. The two lines of a phone have no columns. */
export const ColumnsMenu = (props: Props) => !useContext(FiltersInSheet) && <Columns {...props} />

const Columns = ({ columns, shown, isChosen, onChange }: Props) => (
  <Menu
    trigger={
      <button type="button" className={buttonClass()}>
        <Columns3 aria-hidden /> Columns
      </button>
    }
  >
    <MenuLabel>Columns</MenuLabel>
    {columns.map((column) => (
      <MenuCheckbox
        key={column}
        checked={shown.includes(column)}
        onChange={(checked) => onChange(checked ? [...shown, column] : shown.filter((one) => one !== column))}
      >
        {column}
      </MenuCheckbox>
    ))}
    {isChosen && (
      <>
        <MenuSeparator />
        <MenuItem onSelect={() => onChange(null)}>
          <RotateCcw aria-hidden /> Reset columns
        </MenuItem>
      </>
    )}
  </Menu>
)
