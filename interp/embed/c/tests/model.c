/* A model from C: it is compiled, called, differentiated, and what is wrong is said. Prints what tests/c.rs expects. */
#include "futi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *SOURCE =
    "type point = {x: f64, y: f64}\n"
    "entry dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = f64.sum (map2 (*) xs ys)\n"
    "entry swap (p: point) : point = {x = p.y, y = p.x}\n"
    "entry third (xs: []i32) : i32 = xs[2]\n"
    "entry grid (n: i64) (m: i64) : [n][m]bool = tabulate_2d n m (\\i j -> i == j)\n";

static void expect(int is, const char *what) {
  if (!is) {
    printf("FAILED: %s\n", what);
    exit(1);
  }
}

/* The first line of an error, which is then freed. */
static const char *said(char **error) {
  static char line[200];
  expect(*error != NULL, "something is said");
  snprintf(line, sizeof line, "%s", *error);
  line[strcspn(line, "\n")] = 0;
  futi_free_text(*error);
  *error = NULL;
  return line;
}

static double number(const futi_model *model, const futi_value *value) {
  double x;
  expect(futi_value_rank(value) == 0 && futi_value_type(value) == FUTI_F64, "a number");
  expect(futi_value_read(model, value, &x, sizeof x, NULL) == FUTI_OK, "it is read");
  return x;
}

int main(int argc, char **argv) {
  const char *backend = argc > 1 ? argv[1] : "interp";
  char *error = NULL;
  futi_model *model = futi_compile(SOURCE, backend, &error);
  if (model == NULL) {
    printf("%s\n", said(&error));
    return 1;
  }
  printf("manifest: %.40s\n", strstr(futi_manifest(model), "\"entry_points\""));

  double a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, one = 1;
  int64_t three = 3;
  futi_value *xs = futi_value_new(model, FUTI_F64, 1, &three, a, &error);
  futi_value *ys = futi_value_new(model, FUTI_F64, 1, &three, b, &error);
  futi_value *seed = futi_value_new(model, FUTI_F64, 0, NULL, &one, &error);
  expect(xs && ys && seed, "values");

  const futi_value *args[3] = {xs, ys, seed};
  futi_value *results[3];
  expect(futi_call(model, "dot", args, 2, results, 1, &error) == FUTI_OK, "a call");
  printf("dot: %g\n", number(model, results[0]));
  futi_value_free(results[0]);

  /* the value, and the adjoints of both arrays */
  expect(futi_vjp(model, "dot", args, 3, results, 3, &error) == FUTI_OK, "a derivative in reverse");
  double adjoint[3];
  expect(futi_value_shape(results[1])[0] == 3, "its shape");
  expect(futi_value_read(model, results[1], adjoint, sizeof adjoint, &error) == FUTI_OK, "it is read");
  printf("vjp: %g, [%g, %g, %g]\n", number(model, results[0]), adjoint[0], adjoint[1], adjoint[2]);
  for (int i = 0; i < 3; i++) futi_value_free(results[i]);

  const futi_value *primals_and_tangents[4] = {xs, ys, ys, xs};
  expect(futi_jvp(model, "dot", primals_and_tangents, 4, results, 2, &error) == FUTI_OK, "a derivative in a direction");
  printf("jvp: %g, %g\n", number(model, results[0]), number(model, results[1]));
  for (int i = 0; i < 2; i++) futi_value_free(results[i]);

  /* a record is its fields */
  const futi_value *fields[2] = {seed, seed};
  expect(futi_call(model, "swap", fields, 2, results, 2, &error) == FUTI_OK, "a record");
  for (int i = 0; i < 2; i++) futi_value_free(results[i]);

  int64_t sizes[2] = {2, 3};
  futi_value *n = futi_value_new(model, FUTI_I64, 0, NULL, &sizes[0], &error);
  futi_value *m = futi_value_new(model, FUTI_I64, 0, NULL, &sizes[1], &error);
  const futi_value *both[2] = {n, m};
  unsigned char grid[8] = {0};
  expect(futi_call(model, "grid", both, 2, results, 1, &error) == FUTI_OK, "booleans");
  expect(futi_value_read(model, results[0], grid, 6, &error) == FUTI_OK, "they are read");
  printf("grid: %lld %lld: %d%d%d %d%d%d\n", (long long)futi_value_shape(results[0])[0], (long long)futi_value_shape(results[0])[1], grid[0],
         grid[1], grid[2], grid[3], grid[4], grid[5]);

  /* what is wrong */
  expect(futi_value_read(model, results[0], grid, 5, &error) == FUTI_ARGUMENTS, "too little room");
  printf("%s\n", said(&error));
  futi_value_free(results[0]);
  futi_value *few = futi_value_new(model, FUTI_I32, 1, &sizes[0], grid, &error);
  const futi_value *short_array[1] = {few};
  expect(futi_call(model, "third", short_array, 1, results, 1, &error) == FUTI_RUNTIME, "a failure");
  printf("%s\n", said(&error));
  expect(futi_call(model, "nope", NULL, 0, results, 1, &error) == FUTI_ARGUMENTS, "no such entry point");
  printf("%s\n", said(&error));
  expect(futi_call(model, "dot", args, 1, results, 1, &error) == FUTI_ARGUMENTS, "too few arguments");
  printf("%s\n", said(&error));
  expect(futi_call(model, "dot", args, 2, results, 2, &error) == FUTI_ARGUMENTS, "too many results");
  printf("%s\n", said(&error));
  int64_t none = -1;
  expect(futi_value_new(model, FUTI_F64, 1, &none, a, &error) == NULL, "no shape");
  printf("%s\n", said(&error));
  expect(futi_compile("entry main = nothing", backend, &error) == NULL, "no program");
  printf("%s\n", said(&error));
  expect(futi_compile(SOURCE, "quux", &error) == NULL, "no backend");
  printf("%s\n", said(&error));
  expect(futi_load("nowhere.fut", backend, NULL) == NULL, "no file");

  futi_value_free(xs), futi_value_free(ys), futi_value_free(seed), futi_value_free(n), futi_value_free(m), futi_value_free(few);
  futi_model_free(model);
  return 0;
}
