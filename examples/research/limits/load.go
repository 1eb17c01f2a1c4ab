package limits

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// settings are the fields of limits by their key.
func (l *Limits) settings() map[string]reflect.Value {
	fields := make(map[string]reflect.Value)
	value := reflect.ValueOf(l).Elem()
	for i := range value.NumField() {
		if key := value.Type().Field(i).Tag.Get("toml"); key != "-" {
			fields[key] = value.Field(i)
		}
	}
	return fields
}

// WithEnv returns the limits with the values of environment variables, as
// os.Environ gives them, whose names are the prefix and a key in upper case:
// with the prefix "ARGO_SECURITY_", ARGO_SECURITY_WEB_SEARCH_MAX_RESULTS. Lists
// are separated by commas. A variable with the prefix and no such key is an
// error: a misspelled limit must not be a missing one.
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
			names := strings.ToUpper(prefix + strings.Join(slices.Sorted(maps.Keys(fields)), ", "+prefix))
			return Limits{}, fmt.Errorf("there is no limit %q; use one of %s", name, names)
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
