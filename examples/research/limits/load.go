package limits

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-go/bonafide/policy"
)

// settings are the fields of limits by their key.
func (l *Limits) settings() map[string]reflect.Value {
	fields := make(map[string]reflect.Value)
	value := reflect.ValueOf(l).Elem()
	for i := range value.NumField() {
		if key := value.Type().Field(i).Tag.Get("json"); key != "-" {
			fields[key] = value.Field(i)
		}
	}
	return fields
}

// WithJSON returns the limits with the values of a JSON object. Keys that do
// not exist, keys given twice and values of the wrong kind are errors that name
// the key.
func (l Limits) WithJSON(data []byte) (Limits, error) {
	args, err := policy.Decode(data)
	if err != nil {
		return Limits{}, fmt.Errorf("limits: %w", err)
	}
	fields := l.settings()
	for i := range args.Len() {
		key := args.Name(i)
		field, known := fields[key]
		if !known {
			return Limits{}, unknownKey(key, fields, nil)
		}
		value := args.Value(key)
		if value.Kind() == policy.Null {
			return Limits{}, fmt.Errorf("%s is null; leave it out or give a value", key)
		}
		fresh := reflect.New(field.Type()) // a list replaces the default, it does not overwrite its memory
		if err := json.Unmarshal(value.Raw(), fresh.Interface()); err != nil {
			return Limits{}, fmt.Errorf("%s is %s; it must be %s", key, value.Raw(), wanted(field))
		}
		field.Set(fresh.Elem())
	}
	return l, l.Validate()
}

// WithEnv returns the limits with the values of environment variables, as
// os.Environ gives them, whose names are the prefix and a key in upper case:
// with the prefix "ARGO_SECURITY_", ARGO_SECURITY_WEB_SEARCH_MAX_RESULTS. Lists
// are separated by commas. A variable with the prefix and no such key is an
// error: a misspelled limit must not be a missing one. Environment beats file
// when it is applied after [Limits.WithJSON].
func (l Limits) WithEnv(prefix string, environ []string) (Limits, error) {
	if prefix == "" {
		return Limits{}, fmt.Errorf("the prefix of the environment variables is empty; choose one such as MYAPP_")
	}
	fields := l.settings()
	for _, entry := range environ {
		name, text, _ := strings.Cut(entry, "=")
		suffix, ours := strings.CutPrefix(name, prefix)
		if !ours {
			continue
		}
		field, known := fields[strings.ToLower(suffix)]
		if !known || suffix != strings.ToUpper(suffix) {
			return Limits{}, unknownKey(name, fields, func(key string) string { return prefix + strings.ToUpper(key) })
		}
		if err := setText(field, strings.TrimSpace(text)); err != nil {
			return Limits{}, fmt.Errorf("%s is %q; it must be %s", name, text, wanted(field))
		}
	}
	return l, l.Validate()
}

func setText(field reflect.Value, text string) error {
	switch field.Kind() {
	case reflect.Int:
		n, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		field.SetInt(int64(n))
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return err
		}
		field.SetBool(b)
	default:
		var values []string
		for value := range strings.SplitSeq(text, ",") {
			if value = strings.TrimSpace(value); value == "" {
				return fmt.Errorf("empty value")
			}
			values = append(values, value)
		}
		field.Set(reflect.ValueOf(values))
	}
	return nil
}

func wanted(field reflect.Value) string {
	switch field.Kind() {
	case reflect.Int:
		return "a whole number"
	case reflect.Bool:
		return "true or false"
	default:
		return "a list of texts"
	}
}

func unknownKey(key string, fields map[string]reflect.Value, spell func(string) string) error {
	names := slices.Sorted(maps.Keys(fields))
	if spell != nil {
		for i, name := range names {
			names[i] = spell(name)
		}
	}
	return fmt.Errorf("there is no limit %q; use one of %s", key, strings.Join(names, ", "))
}
