-- Two classifiers of digits, 8 by 8 pixels each: a softmax regression, and a perceptron with one hidden layer.

type linear = {w: [64][10]f64, b: [10]f64}
type mlp = {w1: [64][16]f64, b1: [16]f64, w2: [16][10]f64, b2: [10]f64}

def dot [n] (x: [n]f64) (y: [n]f64) : f64 = f64.sum (map2 (*) x y)

def layer [n] [m] (w: [n][m]f64) (b: [m]f64) (x: [n]f64) : [m]f64 =
  map2 (\column c -> dot column x + c) (transpose w) b

-- minus the logarithm of the probability of class `k`
def entropy [n] (scores: [n]f64) (k: i64) : f64 =
  let top = f64.maximum scores
  in f64.log (f64.sum (map (\s -> f64.exp (s - top)) scores)) + top - scores[k]

def mean [n] (xs: [n]f64) : f64 = f64.sum xs / f64.i64 n

entry linear_loss [n] (p: linear) (x: [n][64]f64) (y: [n]i64) : f64 =
  mean (map2 (\row k -> entropy (layer p.w p.b row) k) x y)

entry mlp_loss [n] (p: mlp) (x: [n][64]f64) (y: [n]i64) : f64 =
  mean (map2 (\row k -> entropy (layer p.w2 p.b2 (map f64.tanh (layer p.w1 p.b1 row))) k) x y)

-- one step of gradient descent: the loss before it, and the parameters after it
entry linear_step [n] (w: [64][10]f64) (b: [10]f64) (x: [n][64]f64) (y: [n]i64) (rate: f64) : (f64, [64][10]f64, [10]f64) =
  let (loss, g) = vjp2 (\p -> linear_loss p x y) {w, b} 1
  in (loss, map2 (map2 (\v d -> v - rate * d)) w g.w, map2 (\v d -> v - rate * d) b g.b)

entry mlp_step [n] (w1: [64][16]f64) (b1: [16]f64) (w2: [16][10]f64) (b2: [10]f64) (x: [n][64]f64) (y: [n]i64) (rate: f64)
  : (f64, [64][16]f64, [16]f64, [16][10]f64, [10]f64) =
  let (loss, g) = vjp2 (\p -> mlp_loss p x y) {w1, b1, w2, b2} 1
  let step v d = v - rate * d
  in (loss, map2 (map2 step) w1 g.w1, map2 step b1 g.b1, map2 (map2 step) w2 g.w2, map2 step b2 g.b2)
