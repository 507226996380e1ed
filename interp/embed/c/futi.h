/* Futi for C. A model is a program that has been compiled for a backend; values are scalars and arrays where the backend keeps them.
 *
 * What fails gives NULL or a status other than FUTI_OK, and, where `error` is not NULL, a text that says what is wrong, with its place in the source:
 * futi_free_text it. Models may be used by several threads at once. Link with -lfuti. */
#ifndef FUTI_H
#define FUTI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct futi_model futi_model;
typedef struct futi_value futi_value;

/* Statuses: as the program `futi` ends with them. */
enum {
  FUTI_OK = 0,
  FUTI_RUNTIME = 1,   /* the program has failed */
  FUTI_PROGRAM = 2,   /* the program is refused, or has what the backend lacks */
  FUTI_ARGUMENTS = 3, /* what the caller asks for is not there, or does not fit */
  FUTI_INTERNAL = 70  /* a defect of Futi's */
};

/* Types of scalars, and of the elements of arrays. A bool has one byte, 0 or 1. */
typedef enum {
  FUTI_I8,
  FUTI_I16,
  FUTI_I32,
  FUTI_I64,
  FUTI_U8,
  FUTI_U16,
  FUTI_U32,
  FUTI_U64,
  FUTI_F16,
  FUTI_F32,
  FUTI_F64,
  FUTI_BOOL
} futi_type;

/* The program of a file, or of a text; for the backend "interp" or "vulkan". */
futi_model *futi_load(const char *path, const char *backend, char **error);
futi_model *futi_compile(const char *source, const char *backend, char **error);
void futi_model_free(futi_model *model);

/* The entry points with the types of their parameters and results, as JSON, for as long as there is the model:
 * {"backend": "interp", "entry_points": [{"name": "main", "inputs": [{"name": "xs", "type": "[n]f64", "leaves": [{"type": "f64", "rank": 1}]}],
 *   "output": {"type": "f64", "leaves": [{"type": "f64", "rank": 0}]}}]}
 * A call takes, and gives, one value for each leaf: a record has those of its fields, in the order of their names. */
const char *futi_manifest(const futi_model *model);

/* An array of this shape, or a scalar where the rank is 0, with a copy of these elements, row by row. */
futi_value *futi_value_new(const futi_model *model, futi_type type, size_t rank, const int64_t *shape, const void *data, char **error);
futi_type futi_value_type(const futi_value *value);
size_t futi_value_rank(const futi_value *value);
/* As many sizes as the rank, for as long as there is the value. */
const int64_t *futi_value_shape(const futi_value *value);
/* Copies the elements, row by row, to `data`, which has room for so many bytes. */
int futi_value_read(const futi_model *model, const futi_value *value, void *data, size_t bytes, char **error);
void futi_value_free(futi_value *value);

/* Calls an entry point. Writes one new value for each leaf of its result to `results`. The arguments stay what they are. */
int futi_call(const futi_model *model, const char *entry, const futi_value *const *args, size_t args_count, futi_value **results,
              size_t results_count, char **error);

/* Derivatives of an entry point, of all its float results with respect to all its float parameters.
 * futi_jvp takes the arguments, then a tangent of each float parameter; it gives the float results, then their tangents.
 * futi_vjp takes the arguments, then a cotangent of each float result; it gives the float results, then the adjoints of the float parameters. */
int futi_jvp(const futi_model *model, const char *entry, const futi_value *const *args, size_t args_count, futi_value **results,
             size_t results_count, char **error);
int futi_vjp(const futi_model *model, const char *entry, const futi_value *const *args, size_t args_count, futi_value **results,
             size_t results_count, char **error);

void futi_free_text(char *text);

#ifdef __cplusplus
}
#endif
#endif
