import { Combobox } from '@base-ui/react/combobox';
import { Field } from '../ui/field.tsx';
import { useNow } from '../ui/now.tsx';

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];

/** A time zone by typing a part of its name; says what its clock shows now. */
export function TimeZoneField(props: {
  value: string;
  onChange: (zone: string) => void;
  error: string | undefined;
}) {
  const nowMs = useNow();
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: props.value,
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'longOffset',
  }).format(nowMs);
  return (
    <Field label="Time zone" hint={`It is ${clock} there now.`} error={props.error}>
      {(control) => (
        <Combobox.Root
          items={zones}
          value={props.value}
          limit={60}
          itemToStringLabel={zoneLabel}
          onValueChange={(zone) => zone && props.onChange(zone)}
        >
          <Combobox.Input {...control} className="input" />
          <Combobox.Portal>
            <Combobox.Positioner className="popup-layer" sideOffset={4}>
              <Combobox.Popup className="popup" style={{ width: 'var(--anchor-width)' }}>
                <Combobox.Empty className="small muted">No such time zone.</Combobox.Empty>
                <Combobox.List className="popup-list">
                  {(zone: string) => (
                    <Combobox.Item key={zone} value={zone} className="popup-item">
                      {zoneLabel(zone)}
                    </Combobox.Item>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Field>
  );
}

function zoneLabel(zone: string): string {
  return zone.replaceAll('_', ' ');
}
